"""What the driver tells of time: whether the model of the drives is in time with the arm."""

from hil.messaging.codec import Message, message, scalar_field


@message
class DriveTiming(Message):
    """By how much the arm is later than the model of its drives, as flight so far shows it."""

    late: float = scalar_field("float", "s")
    interval: float = scalar_field("float", "s")  # half of its 95 % interval
    wrong: bool = scalar_field("bool")  # by more than contacts bear, beyond doubt
