"""Judges the gates of a study by the verdicts on their claims: passed, failed, undecided or not judged."""
