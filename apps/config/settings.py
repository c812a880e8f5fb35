"""
The only settings. What differs between installations is read from the environment; .env.example lists it.

Production is the default. What works over https alone follows the scheme of HEADROOM_URL.
"""

import secrets
from base64 import urlsafe_b64encode
from datetime import timedelta
from pathlib import Path
from typing import Any

import django_stubs_ext
import structlog
from csp.constants import NONE, SELF

from apps.config import env
from apps.config.embedded import CannotStart
from apps.config.embedded.broker import Broker
from apps.config.embedded.folder import Folder
from apps.config.embedded.postgres import Postgres

django_stubs_ext.monkeypatch()  # annotations such as QuerySet[Target] and TextField[str, str] at run time

BASE_DIR = Path(__file__).resolve().parents[2]
HEADROOM_DATA = env.path("HEADROOM_DATA", BASE_DIR / "var")
_folder = Folder(HEADROOM_DATA)


def _secret(name: str, fresh: str) -> str:
    """A secret from the environment, else the one this installation made for itself when it first needed it."""
    if secret := env.text(name):
        return secret
    try:
        _folder.make()
        return _folder.keep_private(name.removeprefix("HEADROOM_").lower().replace("_", "-"), fresh)
    except (CannotStart, OSError) as error:
        raise env.WrongSetting(f"{name} is not set and cannot be made and kept: {error}") from None


# ── Addresses ─────────────────────────────────────────────────────────────────────────────────────────────────────────

_url = env.site_url("HEADROOM_URL", "http://127.0.0.1:8000")
HEADROOM_URL = _url.geturl()
ALLOWED_HOSTS = [str(_url.hostname), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [HEADROOM_URL]
ROOT_URLCONF = "apps.config.urls"
WSGI_APPLICATION = "apps.config.wsgi.application"
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "sign_in"

# ── The application ───────────────────────────────────────────────────────────────────────────────────────────────────

DEBUG = env.flag("HEADROOM_DEBUG", default=False)
# the folder on whose disk the database lies; of a PostgreSQL elsewhere nobody here can see the disk
HEADROOM_DISK = None if env.text("HEADROOM_DATABASE_URL") else HEADROOM_DATA
HEADROOM_DEMO = env.flag("HEADROOM_DEMO", default=True)
HEADROOM_ORACLE_CLIENT = env.text("HEADROOM_ORACLE_CLIENT")
# the longest comparison looks 90 days back, and a late one some days more
HEADROOM_READING_DAYS = env.integer("HEADROOM_READING_DAYS", 400, least=100, most=36500)
HEADROOM_FIGURE_DAYS = env.integer("HEADROOM_FIGURE_DAYS", 3660, least=400, most=36500)
HEADROOM_RUN_DAYS = env.integer("HEADROOM_RUN_DAYS", 100, least=30, most=36500)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "django_celery_results",
    "django_celery_beat",
    "django_htmx",
    "axes",
    "apps.config",
    "apps.people",
    "apps.inventory",
    "apps.snapshots",
    "apps.collection",
    "apps.profiles",
    "apps.thresholds",
    "apps.forecasting",
    "apps.outlook",
    "apps.advisors",
    "apps.review",
    "apps.reports",
    "apps.notices",
    "apps.platforms",
    "apps.demo",
    "apps.web",
]

MIDDLEWARE = [
    "apps.web.address.without_nul",
    "apps.web.headers.with_headers",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # of pages, each lengthened by some random bytes: its length tells nothing of
    # a secret in it, and the token of its forms is another each time; collected files are compressed already
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "apps.web.session_ends.with_sessions_that_end",
    "apps.web.first_password.with_own_password_first",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "apps.web.reader_style.in_the_readers_way",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "apps.web.address.refused_in_our_layout",
    "axes.middleware.AxesMiddleware",  # the last, as its manual asks
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "apps.web.context.everywhere",
            ],
        },
    }
]

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

# ── PostgreSQL ────────────────────────────────────────────────────────────────────────────────────────────────────────

DATABASES: dict[str, dict[str, Any]] = {
    "default": {**env.database("HEADROOM_DATABASE_URL", Postgres(_folder).url), "CONN_HEALTH_CHECKS": True}
}
DATABASES["default"].setdefault("OPTIONS", {}).setdefault(
    "prepare_threshold", 2**31
)  # times a statement is sent before it is prepared: only those that ask for it are, such as apps/snapshots/record.py
_pooled = env.integer(
    "HEADROOM_DATABASE_POOL", 0, least=0, most=1000
)  # set by wsgi.py for the web, and by the supervisor for the worker that collects
if _pooled:
    DATABASES["default"]["OPTIONS"]["pool"] = {
        "min_size": 1,
        "max_size": _pooled,
        "timeout": 45,  # the web has a connection for each thread; the worker's 200 wait for their turn at busy moments
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ── Celery ────────────────────────────────────────────────────────────────────────────────────────────────────────────
# Every task may run twice and is bounded in time. A killed worker's tasks come back: at once where the supervisor
# runs it, else after the visibility timeout, which is longer than any task and any countdown.

CELERY_BROKER_URL = env.broker("HEADROOM_BROKER_URL", Broker(_folder).url)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # no loss of the broker ends a worker, however long it lasts ...
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # ... nor does its refusal, such as of writes while its disk is full
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 2 * 60 * 60,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 3,
    "socket_timeout": 3,  # a broker that hangs is one that is away: whoever asks it is told so within ten seconds, ...
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0}  # ... which is three such waits
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 60 * 60
CELERY_TASK_DEFAULT_QUEUE = "review"
CELERY_TASK_ROUTES = {"worker.tasks.collect*": {"queue": "collect"}}
CELERY_IMPORTS = ["worker.control"]  # by workers alone
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False  # what was begun is finished
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 5.0
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_RESULT_BACKEND = "django-db"
CELERY_RESULT_EXTENDED = False  # it would keep every task's arguments
CELERY_RESULT_EXPIRES = timedelta(days=7)
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
CELERY_BEAT_SYNC_EVERY = 1  # so that /healthz sees how long ago beat worked
CELERY_TIMEZONE = "UTC"

# ── People and their sessions ─────────────────────────────────────────────────────────────────────────────────────────

SECRET_KEY = _secret("HEADROOM_SECRET_KEY", secrets.token_urlsafe(50))
HEADROOM_SECRET_KEYS = env.fernet_keys(
    "HEADROOM_SECRET_KEYS",
    _secret("HEADROOM_SECRET_KEYS", urlsafe_b64encode(secrets.token_bytes(32)).decode()),
)

AUTH_USER_MODEL = "people.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "apps.people.passwords.GuessedSoonValidator"},
]
HEADROOM_TRUSTED_PROXIES = env.networks("HEADROOM_TRUSTED_PROXIES")
AXES_HANDLER = "apps.people.sign_in_limits.SignInLimits"
AXES_CLIENT_IP_CALLABLE = "apps.people.client_address.client_network"
AXES_LOCKOUT_CALLABLE = "apps.people.sign_in_limits.keep_answer"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # a refused try costs nothing and prolongs nothing
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

HEADROOM_SESSION_IDLE = timedelta(
    minutes=env.integer("HEADROOM_SESSION_IDLE_MINUTES", 8 * 60, least=5, most=365 * 24 * 60)
)
SESSION_COOKIE_AGE = env.integer("HEADROOM_SESSION_DAYS", 14, least=1, most=365) * 24 * 60 * 60
SESSION_ENGINE = "apps.people.sessions"

# names of their own: browsers share cookies between all ports of a host
SESSION_COOKIE_NAME = "headroom_session"
CSRF_COOKIE_NAME = "headroom_csrf"

if _url.scheme == "https":
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
X_FRAME_OPTIONS = "DENY"
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # HSTS is ours to decide for this host alone, not for the hosts below it
    "security.W021",
]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        # the hash is that of an empty style element, which plotly.js makes and then fills by script
        "style-src": [SELF, "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# ── Files that people attach ──────────────────────────────────────────────────────────────────────────────────────────

DATA_UPLOAD_MAX_NUMBER_FIELDS = 6000  # each of a list of 5,000 instances can be ticked
FILE_UPLOAD_HANDLERS = [
    "apps.web.uploads.Bounded",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# ── Mail and webhooks ─────────────────────────────────────────────────────────────────────────────────────────────────
# Without a mail server nothing is sent, and the page of the notices says so.

_smtp = env.smtp("HEADROOM_SMTP_URL")
EMAIL_HOST, EMAIL_PORT = _smtp.host, _smtp.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _smtp.user, _smtp.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _smtp.use_tls, _smtp.use_ssl
EMAIL_BACKEND = "apps.notices.smtp.EncryptedBackend"
EMAIL_TIMEOUT = 20
HEADROOM_SMTP_CA = env.certificates("HEADROOM_SMTP_CA")
HEADROOM_MAIL_DOMAIN = str(_url.hostname).strip("[]")
DEFAULT_FROM_EMAIL = env.text("HEADROOM_MAIL_FROM", f"Headroom <headroom@{HEADROOM_MAIL_DOMAIN}>")
HEADROOM_WEBHOOK_PRIVATE = env.flag("HEADROOM_WEBHOOK_PRIVATE", default=False)

# ── Static files ──────────────────────────────────────────────────────────────────────────────────────────────────────
# Served from where they lie, or compressed and for good from where they were collected: HEADROOM_STATIC says where.
# The supervisor collects them at its start, an image when it is built.

_collected = env.text("HEADROOM_STATIC")
STATIC_URL = "/static/"
STATIC_ROOT = _collected or None
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_USE_FINDERS = not _collected
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "apps.web.styles.BundledStorage"
        if _collected
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# ── Logs ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

_log_steps: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
structlog.configure(
    processors=[*_log_steps, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _log_steps,
            "processor": structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            ),
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {"django": {"handlers": [], "level": "INFO"}},
}
