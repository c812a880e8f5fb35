"""What processes of an instance are called by those who look at their machine."""

import pytest

from apps.catalog.process_names import name_process


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("ora_lgwr_GISPRD", "GISPRD log writer"),
        ("ora_lg00_GISPRD", "GISPRD log writer"),
        ("ora_dbw0_GISPRD", "GISPRD database writer"),
        ("ora_dbwa_GISPRD", "GISPRD database writer"),
        ("ora_bw36_GISPRD", "GISPRD database writer"),
        ("ora_ckpt_GISPRD", "GISPRD checkpoint"),
        ("ora_arc3_GISPRD", "GISPRD archiver"),
        ("ora_pa17_GISPRD", "GISPRD parallel server"),
        ("ora_p017_GISPRD", "GISPRD parallel server"),
        ("ora_ppa7_GISPRD", "GISPRD parallel server"),
        ("ora_pmon_GISPRD", "GISPRD background"),
        ("ora_psp0_GISPRD", "GISPRD background"),
        ("ora_j004_GISPRD", "GISPRD job"),
        ("ora_lms1_RAC1", "RAC1 global cache"),
        ("ora_s000_GISPRD", "GISPRD shared server"),
        ("ora_d001_GISPRD", "GISPRD shared server"),
        ("ora_smon_GISPRD", "GISPRD background"),
        ("oracleGISPRD", "GISPRD shadow"),
        ("oracle+ASM1", "+ASM1 shadow"),
        ("asm_dbw0_+ASM1", "+ASM1 database writer"),
        ("mdb_lgwr_-MGMTDB", "-MGMTDB log writer"),
        ("/u01/app/oracle/product/19/bin/tnslsnr", "listener"),
    ],
)
def test_a_process_is_called_by_its_instance_and_by_what_it_does(word, name):
    assert name_process(word) == name


@pytest.mark.parametrize(
    "word", ["", "oracle", "java", "/usr/bin/oracledb_exporter", "ora_lgwr", "ora_toolong_X", "x ora_lgwr_X"]
)
def test_others_are_not_of_an_instance(word):
    assert name_process(word) == ""
