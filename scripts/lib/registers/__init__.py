"""What scripts/registers makes of a register map: see there."""
