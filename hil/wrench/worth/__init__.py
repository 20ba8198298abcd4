"""What an impulse is worth: the noise of the wrench at rest, and the error that no estimator goes below."""
