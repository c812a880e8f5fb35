"""True headroom, by numbers worked out by hand. Everything in GB."""

import pytest

from apps.forecasting.engine.true_room import (
    CEILING,
    OverCommit,
    Pool,
    SpaceUse,
    holds_too_much,
    most_committed,
    mount_of,
    over_commit,
    true_room,
)

DATA = Pool("+DATA", 50.0)


def space(used, size, most, *pools, owner="A", name="TS"):
    return SpaceUse(owner, name, used, size, most, pools)


@pytest.mark.parametrize(
    ("used", "size", "most", "free", "left", "binds"),
    [
        (80, 100, 120, 50, 40, CEILING),  # 120 - 80, though 20 + 50 would be there
        (80, 100, 400, 50, 70, "free space of +DATA"),  # 20 + 50, though 320 are left to the ceiling
        (80, 100, 150, 50, 70, CEILING),  # both bind at once
        (80, 100, 400, -10, 20, "free space of +DATA"),  # below zero is nothing, not less than what is there
        (80, 100, 100, None, 20, CEILING),  # what cannot grow asks nothing of its disk group
    ],
)
def test_true_headroom_is_the_least_and_says_what_binds(used, size, most, free, left, binds):
    room = true_room(space(used, size, most, "+DATA"), {"+DATA": Pool("+DATA", free, "not read")})

    assert (room.value, room.binds, room.at_least) == (left, binds, None)


def test_what_cannot_be_told_has_a_reason_and_no_number():
    unmeasured = {"/u02": Pool("/u02", None, "/u02 was not measured")}

    assert true_room(space(1, 2, 9, "/u02"), unmeasured).value is None
    assert true_room(space(1, 2, 9, "/u02"), unmeasured).why == "/u02 was not measured"
    assert true_room(space(1, 2, 9), {}, "not known by then").why == "not known by then"
    assert true_room(space(None, 2, 9, "+DATA"), {"+DATA": DATA}).value is None
    assert true_room(space(1, 2, None, "+DATA"), {"+DATA": DATA}).why
    assert over_commit(unmeasured["/u02"], [space(1, 2, 9, "/u02")]) == OverCommit(
        None, "/u02 was not measured"
    )


def test_several_places_are_added_up_and_the_fullest_one_is_what_is_sure():
    pools = {"+DATA": DATA, "/u02": Pool("/u02", 30.0)}

    wide = true_room(space(80, 100, 400, "+DATA", "/u02"), pools)
    narrow = true_room(space(80, 100, 125, "+DATA", "/u02"), pools)

    # 20 unused in the files and 50 + 30 free; all of it may have to be found in /u02
    assert (wide.value, wide.binds, wide.at_least) == (100, "free space of +DATA and /u02", 50)
    assert (narrow.value, narrow.binds, narrow.at_least) == (45, CEILING, None)


def test_several_places_of_which_one_is_full():
    pools = {"+DATA": DATA, "/u02": Pool("/u02", 0.0)}

    room = true_room(space(80, 100, 130, "+DATA", "/u02"), pools)

    assert (room.value, room.binds, room.at_least) == (50, CEILING, 20)


def test_over_commit_is_what_all_may_still_grow_by_what_is_free():
    spaces = [
        space(80, 100, 180, "+DATA"),  # 80
        space(10, 20, 60, "+DATA", "/u02", owner="B"),  # 40, on each of its places
        space(5, 9, 9, "+DATA"),  # nothing
        space(5, 9, 900, "/u02"),  # elsewhere
    ]

    assert over_commit(DATA, spaces) == OverCommit(120 / 50)
    assert over_commit(Pool("+DATA", 0.0), spaces) == OverCommit(None, "nothing is free there")
    assert over_commit(Pool("+DATA", 0.0), [spaces[2]]).ratio == 0


def test_what_is_not_counted_is_named_and_the_ratio_is_at_least():
    spaces = [space(80, 100, 180, "+DATA"), space(1, 2, 3, owner="B"), space(1, None, 3, "+DATA", owner="C")]

    assert over_commit(DATA, spaces, ["D"]) == OverCommit(80 / 50, "", ("B", "C", "D"))


def test_the_worst_of_several_places_stands_for_them_and_an_unknown_one_before_it():
    assert most_committed([OverCommit(0.5), OverCommit(2.0)]) == OverCommit(2.0)
    assert most_committed([OverCommit(2.0), OverCommit(None, "not read")]).why == "not read"


@pytest.mark.parametrize(
    ("directory", "mount"),
    [
        ("/u02/oradata/A", "/u02"),
        ("/u02", "/u02"),
        ("/u020/oradata", "/"),
        ("/u02/fast/A", "/u02/fast"),
        ("C:\\oradata", None),
    ],
)
def test_a_directory_lies_on_its_longest_mount_point(directory, mount):
    assert mount_of(directory, ["/", "/u02", "/u02/fast"]) == mount


def test_a_filesystem_that_holds_less_than_is_used_on_it_is_not_the_one():
    spaces = [space(80, 100, 180, "/"), space(30, 40, 50, "/", owner="B"), space(900, 900, 900, "/", "/u02")]

    assert holds_too_much("/", 109, spaces)
    assert not holds_too_much("/", 110, spaces)
