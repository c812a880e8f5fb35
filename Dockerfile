# Headroom's image: one for the web, the workers, beat and the migrations; docker-compose.yml says which does what.

FROM python:3.13-slim AS build
RUN pip install --no-cache-dir uv==0.13.8
WORKDIR /srv/headroom
COPY requirements.txt .
RUN uv venv .venv && uv pip sync --require-hashes --compile-bytecode --python .venv/bin/python requirements.txt
COPY . .
ENV HEADROOM_STATIC=/srv/headroom/staticfiles
RUN HEADROOM_DATA=/tmp/build .venv/bin/python manage.py collectstatic --no-input --verbosity 0 \
    && .venv/bin/python -m compileall -q apps worker && rm -rf /tmp/build

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /srv/headroom --shell /usr/sbin/nologin headroom
WORKDIR /srv/headroom
COPY --from=build /srv/headroom /srv/headroom
# its own files are not its to write; secrets are given to it, never made here
ENV PATH=/srv/headroom/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HEADROOM_STATIC=/srv/headroom/staticfiles
USER headroom
EXPOSE 8000
CMD ["python", "-m", "gunicorn", "apps.config.wsgi", "--bind", "0.0.0.0:8000", \
     "--worker-class", "gthread", "--workers", "2", "--threads", "8", "--preload", \
     "--timeout", "60", "--graceful-timeout", "10", "--no-control-socket"]
