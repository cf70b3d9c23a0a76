"""The pages of the history: the inbox, its series and its feed."""
