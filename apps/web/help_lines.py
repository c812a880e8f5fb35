"""One line of help for each page, said once where people look; who knows the way switches them off."""

HELP = {
    "estate": "Least slack first: slack is the days to the likely breach less the days that acting takes. A click on a row"
    " opens what is behind it.",
    "targets": "Everything that is watched, worst state first. The filters stay in the address: keep it as a bookmark.",
    "target": "Each figure beside 7, 30 and 90 days ago. Δ is the change from then to today; the limit is as it was typed."
    " A click on a statistic shows how it was computed.",
    "target_violations": "What is over its limit, and what is predicted to be within 90 days.",
    "target_collection": "The last readings, newest first: what each source took, and why one failed.",
    "target_all": "Everything that was read of this day, in the unit of the profile, each with its source.",
    "statistic": "Drag over the chart to look closer, double click to see all. What is drawn stands in the table below it.",
    "thresholds": "A limit is a comfort level that somebody set when all was calm. Of several, target wins over group over all.",
    "violations": "A violation opens and closes by its figures. Acknowledge it, name an owner, work off its plan.",
    "collection": "Problems first, each with its next step. Nothing is invented for a day that was not read.",
    "weekly_report": "As it was known on the Monday after its week; every past week opens as it was sent.",
    "calendars": "Days that are left out of judging: maintenance windows, month ends.",
    "notes": "What happened on a day, for those who look at its figures later.",
    "schedules": "When what is done by itself. Times are of the zone named in each row.",
    "notices": "Who is told what, how, and when not.",
    "reads": "Every view that is read and every grant that it needs; nothing else is touched.",
    "find": "A part of a name is enough. Press / on any page to come here.",
}
