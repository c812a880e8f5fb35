"""Logins all at once, and what more cores cost."""

from apps.advisors.calculators import (
    Alternative,
    Calculation,
    CalculationStep,
    Calculator,
    CalculatorInput,
    Inputs,
    Share,
)
from apps.charts.figures import SPACE, figure, whole

EACH = 5.0  # connections of a pool that a server needs at most
GB_OF_TABLES = 8 * 1024**3 / (4 * 1024) / 1024**3  # page tables of a GB of SGA in pages of 4 kB, GB


def _storm(inputs: Inputs) -> Calculation:
    (servers,), (pool,), (cpu,), (cores,) = (inputs[key] for key in ("servers", "pool", "cpu", "cores"))
    clients = servers * pool
    drain = clients * cpu / cores
    advised = servers * min(EACH, pool)
    figures = {
        "clients": clients, "drain_s": drain, "load": clients / cores, "advised_clients": advised,
        "advised_drain_s": advised * cpu / cores,
    }  # fmt: skip
    steps = [
        CalculationStep("connections", f"{whole(servers)} × {whole(pool)}", whole(clients)),
        CalculationStep(
            "until all are in",
            f"{whole(clients)} × {figure(cpu)} s ÷ {whole(cores)} cores",
            f"{figure(drain)}{SPACE}s",
        ),
        CalculationStep(
            "waiting for each core", f"{whole(clients)} ÷ {whole(cores)}", figure(clients / cores)
        ),
    ]
    if inputs["sga"]:
        (sga,) = inputs["sga"]
        figures["page_tables_gb"] = clients * sga * GB_OF_TABLES
        steps.append(
            CalculationStep(
                "page tables",
                f"{whole(clients)} × {figure(sga)} GB ÷ 4 kB × 8 bytes",
                f"{figure(figures['page_tables_gb'])}{SPACE}GB",
            )
        )
    return Calculation(
        answer=f"{whole(clients)} logins at once take {figure(drain)}{SPACE}s on {whole(cores)} cores.",
        rest=f"With {whole(min(EACH, pool))} connections a server, {whole(advised)}, it is {figure(figures['advised_drain_s'])}{SPACE}s.",
        advice="Look first at why a login costs so much: pre_page_sga before 12.1, then small pages; then at the size of the pools.",
        figures=figures,
        steps=steps,
        alternatives=[
            Alternative(
                f"{figure(other)} s",
                f"{figure(clients * other / cores)}{SPACE}s",
                "",
                is_present=other == cpu,
            )
            for other in sorted({0.05, 0.15, 0.5, 2.5, cpu})
        ],
        alternatives_of="CPU of a login",
        shares=[Share("seconds", drain)],
    )


def _licence(inputs: Inputs) -> Calculation:
    (now,), (then,), (factor,) = inputs["cores"], inputs["cores_then"], inputs["factor"]
    licences_now, licences_then = now * factor, then * factor
    change = 100 * (then - now) / now
    figures = {"licences": licences_now, "licences_then": licences_then, "change_percent": change}
    steps = [
        CalculationStep("now", f"{whole(now)} cores × {figure(factor)}", figure(licences_now)),
        CalculationStep("then", f"{whole(then)} cores × {figure(factor)}", figure(licences_then)),
    ]
    rest = "Nothing changes."
    if then != now:
        rest = f"That is {figure(abs(change))}{SPACE}% {'more' if then > now else 'less'}."
    if inputs["price"]:
        (price,) = inputs["price"]
        figures["cost"] = (licences_then - licences_now) * price
        steps.append(
            CalculationStep(
                "cost", f"{figure(licences_then - licences_now)} × {figure(price)}", figure(figures["cost"])
            )
        )
    return Calculation(
        answer=f"{whole(then)} cores need {figure(licences_then)} licences in place of {figure(licences_now)}.",
        rest=rest,
        advice="Count the cores that the licence counts: all of the machine, or those of a hard partition.",
        figures=figures,
        steps=steps,
        shares=[
            Share("now", licences_now),
            Share("more", max(licences_then - licences_now, 0.0), is_idle=True),
        ],
    )


LOGIN_STORM = Calculator(
    key="login-storm",
    title="Login storm",
    question="How long does it take until every connection pool is back after a restart?",
    source="connections × CPU of a login ÷ cores",
    inputs=(
        CalculatorInput(key="servers", label="Application servers", example="25", is_whole=True, least=1, most=100_000),
        CalculatorInput(key="pool", label="Connections each", example="25", is_whole=True, least=1, most=10_000),
        CalculatorInput(key="cpu", label="CPU of a login", unit="s", example="2.5", least=0.0001, most=600),
        CalculatorInput(key="cores", label="Cores", example="4", metric="cpu_count", is_whole=True, least=1, most=10_000),
        CalculatorInput(
            key="sga", label="SGA in small pages", unit="GB", example="5", is_optional=True, least=0.01, most=65536
        ),
    ),
    calculate=_storm,
)  # fmt: skip
LICENCE = Calculator(
    key="licence",
    title="Licences by cores",
    question="What do more cores cost in licences?",
    source="licences = cores × core factor",
    inputs=(
        CalculatorInput(key="cores", label="Cores now", example="8", metric="cpu_count", is_whole=True, least=1, most=100_000),
        CalculatorInput(key="cores_then", label="Cores then", example="16", is_whole=True, least=1, most=100_000),
        CalculatorInput(key="factor", label="Core factor", example="0.5", least=0.05, most=10, help="0.5 for most x86 processors."),
        CalculatorInput(key="price", label="Price of a licence", example="47500", is_optional=True),
    ),
    calculate=_licence,
)  # fmt: skip
