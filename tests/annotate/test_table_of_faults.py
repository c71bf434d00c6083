"""Every row of the table of faults in docs/labelling.md has a test, and which."""

from __future__ import annotations

import re
from pathlib import Path

from real_data import ROOT

HERE = Path(__file__).parent
ROW = re.compile(r"^\| (?!\*\*|what happens|---)(?P<what>[^|]+) \|", re.MULTILINE)
FILES = {
    "faults": "projects/test_faults.py",
    "month": "projects/test_month.py",
    "people": "projects/test_people.py",
    "migration": "projects/test_migration.py",
    "trees": "votes/test_changed_trees.py",
    "votes": "votes/test_votes.py",
    "dealing": "projects/test_dealing.py",
    "hand": "projects/test_hand_exports.py",
    "edits": "projects/test_files_and_edits.py",
    "answers": "projects/test_answers.py",
    "bad": "projects/test_bad_input.py",
    "kills": "projects/test_kills.py",
}
# what happens -> the functions that do it and look what became of the votes, `file:function`
TESTS = {
    "a name or an account is changed": "faults:an_account_is_renamed",
    "the name is given to somebody else": "faults:a_name_is_given_to_another_account",
    "two people have one name": "faults:two_people_have_one_name",
    "one person has two accounts":
        "people:test_two_accounts_of_one_person_are_one_voice_and_two_again",
    "a person gets another name in `people.yaml`":
        "people:test_votes_follow_a_person_whose_tasks_are_gone_and_who_has_a_new_name",
    "votes stand under a name that nobody has": "people:test_votes_of_nobody_are_told",
    "a lead stars an answer":
        "people:test_stars_are_gold_by_those_who_have_the_right_and_starve_no_task",
    "somebody without the right stars an answer":
        "people:test_stars_are_gold_by_those_who_have_the_right_and_starve_no_task",
    "an answer is starred before it was pulled":
        "edits:an_answer_is_starred_before_the_pull "
        "people:test_stars_are_gold_by_those_who_have_the_right_and_starve_no_task",
    "a person is in two groups":
        "people:test_groups_stand_in_the_file_and_a_person_is_in_one",
    "an account is removed, or comes back":
        "faults:an_account_is_removed faults:an_account_comes_back",
    "an account is deleted before its answers are pulled":
        "edits:an_account_is_deleted_before_the_pull",
    "an e-mail is given twice, in other letters": "edits:an_e_mail_is_given_twice",
    "a name has accents that are stored in either way":
        "edits:a_name_has_accents_of_either_kind",
    "persons are named in a circle": "edits:persons_are_named_in_a_circle",
    "somebody is left out whom nobody knows":
        "edits:somebody_unknown_is_left_out "
        "edits:test_whoever_is_left_out_and_has_not_voted_is_told",
    "an account is deleted": "month:test_what_people_who_left_have_said_stays_theirs",
    "somebody clicks the first option all day":
        "month:test_a_lead_sees_who_clicks_and_who_guesses",
    "somebody guesses": "month:test_a_lead_sees_who_clicks_and_who_guesses",
    "somebody is left out in `people.yaml`":
        "dealing:test_whoever_is_left_out_of_a_pool_has_others_asked",
    "a group is away or behind":
        "dealing:test_a_group_that_stops_in_the_middle_is_taken_over_and_all_is_decided",
    "somebody is asked again about everything":
        "dealing:test_one_person_is_asked_again_about_everything",
    "a button is pressed twice, an answer saved again":
        "faults:a_button_is_pressed_twice faults:an_answer_is_saved_again_unchanged",
    "somebody answers a task twice":
        "month:test_two_answers_of_one_person_leave_the_third_vote_open",
    "somebody looks at another's answer": "faults:somebody_looks_at_anothers_answer",
    "somebody changes another's answer":
        "answers:test_an_answer_belongs_to_whoever_changed_it_last",
    "an answer lies there as a draft, a task is passed on":
        "faults:an_answer_lies_there_as_a_draft faults:a_task_is_passed_on",
    "a task is passed on with a word":
        "month:test_a_word_on_a_task_that_was_passed_on_is_a_remark",
    "half an answer comes":
        "faults:half_an_answer_comes "
        "answers:test_half_answers_count_for_what_they_give_and_say_what_lacks",
    "a choice comes that no form has, a branch instead of a leaf":
        "faults:a_choice_comes_that_no_form_has "
        "migration:test_a_leaf_that_moves_keeps_its_answers_and_one_that_is_split_is_asked_again",
    "problems are pushed twice, in another order, or one less and again":
        "faults:pushed_twice faults:problems_come_in_another_order "
        "faults:a_problem_is_left_out_and_comes_back",
    "the text changes": "month:test_a_text_that_changes_and_comes_back_has_its_votes_again",
    "the text comes back as it was":
        "month:test_a_text_that_changes_and_comes_back_has_its_votes_again",
    "a task is deleted on the server and pushed again":
        "month:test_a_task_that_was_deleted_and_pushed_again_keeps_its_votes",
    "a task is imported by hand, or somebody else's is added":
        "faults:a_task_is_imported_by_hand faults:a_task_of_somebody_else_is_added",
    "a text is edited on the server": "edits:a_text_is_edited_on_the_server",
    "a problem gets another id": "edits:a_problem_gets_another_id",
    "a model's predictions stand on a task": "edits:a_model_has_predicted",
    "an answer is no list of choices": "edits:a_choice_is_no_list",
    "a known label is given twice, and differs": "edits:a_known_label_is_given_twice",
    "a problem becomes a gold one":
        "month:test_a_problem_that_becomes_gold_keeps_the_label_it_had",
    "a picture changes on disk, or breaks":
        "month:test_pictures_are_those_that_were_hashed_and_whole",
    "a stage noted the answer": "month:test_what_stages_noted_on_an_answer_is_not_shown",
    "more people are asked, or fewer, or a third in doubt":
        "faults:more_people_are_asked faults:fewer_people_are_asked faults:doubt_is_asked_for",
    "a leaf moves to another branch":
        "migration:test_a_leaf_that_moves_keeps_its_answers_and_one_that_is_split_is_asked_again",
    "a leaf is renamed":
        "migration:test_a_changed_tree_stops_with_a_plan_and_moves_bring_the_answers_along",
    "a leaf is split":
        "migration:test_a_leaf_that_moves_keeps_its_answers_and_one_that_is_split_is_asked_again",
    "a definition changes":
        "trees:test_votes_follow_a_tree_that_says_what_became_of_its_labels",
    "the form is edited in the browser": "faults:the_interface_is_edited_on_the_server",
    "the project gets another title": "faults:the_project_is_retitled",
    "the project's description is edited": "edits:the_description_is_edited",
    "the instructions are edited in the browser": "edits:the_instructions_are_edited",
    "a kind of task reads answers otherwise": "edits:the_kind_reads_answers_otherwise",
    "a leaf moves twice, or in a circle":
        "trees:test_a_label_that_was_renamed_twice_names_what_it_is_now",
    "guidelines change":
        "faults:guidelines_change "
        "month:test_an_answer_that_is_saved_anew_was_given_under_the_guidelines_of_then",
    "guidelines are a megabyte": "faults:guidelines_are_a_megabyte",
    "two push at once, two pull, or one each":
        "faults:two_push_at_once faults:two_pull_at_once faults:a_push_during_a_pull",
    "two clones push": "month:test_two_clones_push_one_project",
    "a push dies on another machine":
        "month:test_a_push_that_died_elsewhere_is_taken_over_by_word",
    "a push dies, a connection breaks in the middle":
        "kills:test_clients_killed_at_random_moments "
        "faults:the_connection_breaks_in_an_import",
    "an export breaks off": "faults:an_export_breaks_off",
    "a twin of the project stands beside it": "faults:a_twin_project_stands_beside_it",
    "the server's clock runs back": "faults:the_servers_clock_runs_back",
    "the server is an earlier copy of itself":
        "faults:the_server_is_restored_from_yesterdays_copy",
    "the votes' file is deleted, or yesterday's":
        "faults:the_votes_are_deleted faults:half_of_the_votes_are_yesterdays",
    "the votes' file has lost its last line end, or got those of Windows":
        "edits:the_votes_lose_their_last_line_end edits:the_votes_have_line_ends_of_windows",
    "a merge leaves its marks in the votes": "edits:a_merge_leaves_its_marks_in_the_votes",
    "`project.json` is lost": "edits:the_project_file_is_lost",
    "the project is deleted on the server": "edits:the_project_is_deleted_on_the_server",
    "an export made by hand is cut off": "hand:test_what_is_no_export_is_named",
    "a pull died and left half a file":
        "faults:a_pull_died_and_left_its_lock_and_half_a_file",
    "the folder is moved, or pulled on two machines":
        "faults:the_folder_is_moved faults:the_folder_is_pulled_on_two_machines",
    "accounts are made and one name is none":
        "month:test_names_are_looked_at_before_the_first_account_and_passwords_are_kept",
    "a token expires in the middle":
        "bad:test_what_fails_in_the_middle_is_named_and_the_next_run_finishes",
    "a disk is full, ours or the server's":
        "bad:test_a_full_disk_of_ours_leaves_the_votes_as_they_were "
        "bad:test_what_fails_in_the_middle_is_named_and_the_next_run_finishes",
    "the server is of another version": "bad:test_a_server_of_another_version_is_told",
    "a clock of ours is wrong":
        "bad:test_no_clock_of_ours_says_when_a_vote_was_given",
    "two adjudicators differ":
        "votes:test_two_adjudicators_are_two_votes_and_one_against_all_is_told",
    "a third adjudicator makes a majority":
        "votes:test_two_adjudicators_are_two_votes_and_one_against_all_is_told",
    "an adjudicator is against all people":
        "votes:test_two_adjudicators_are_two_votes_and_one_against_all_is_told",
}  # fmt: skip


def test_every_row_has_its_test_and_every_test_is_there() -> None:
    page = (ROOT / "docs/labelling.md").read_text("utf-8")
    rows = [row["what"] for row in ROW.finditer(page.partition("in a month")[2])]
    assert rows == list(TESTS)
    assert len(rows) >= 40
    sources = {name: (HERE / file).read_text("utf-8") for name, file in FILES.items()}
    for what, tests in TESTS.items():
        for test in tests.split():
            name, _, function = test.partition(":")
            assert f"\ndef {function}(" in sources[name], (what, test)
