"""Feature norms: is q high for concepts that people give a feature, and low for those with the opposite feature?"""
