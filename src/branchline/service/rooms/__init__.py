"""The tables of this process: opening and changing them, seats and invitations, bots and clocks."""
