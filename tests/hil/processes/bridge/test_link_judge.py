"""The judgement of a link, on made-up time: silence, holes, new sessions, other configurations."""

from hil.messaging.link_messages import LinkAnswer
from hil.processes.bridge.link_judge import ASK_NS, LEARN_NS, MAX_UNCERTAINTY_NS, TIMEOUT_NS, LinkJudge

OFFSET_NS = 10**12
WAY_NS = 200_000
STEP_NS = 10_000_000


class Scene:
    """A judge, its time, and another bridge that answers."""

    def __init__(self) -> None:
        self.judge = LinkJudge("tcp://there:1", "stamp")
        self.now_ns = 10**9
        self.number = 0
        self.session = b"session1"
        self.answers, self.way_ns, self.stamp, self.trouble = True, WAY_NS, "stamp", ""

    def run(self, duration_ns: int) -> None:
        """Let time pass in small steps."""
        for _ in range(duration_ns // STEP_NS):
            self.now_ns += STEP_NS
            question = self.judge.tick(self.now_ns)
            if question is None or not self.answers:
                continue
            self.hear(question.t_ns)

    def hear(self, asked_ns: int) -> None:
        """Let a question of now go there, and the answer come back."""
        there = self.now_ns + self.way_ns + OFFSET_NS
        answer = LinkAnswer(there, 1, asked_ns, there, self.stamp, self.trouble)
        self.now_ns += 2 * self.way_ns
        self.frame()
        self.judge.hear(answer, self.now_ns)

    def frame(self, skipped: int = 0) -> bool:
        """Let a frame come, and say whether it passes."""
        self.number += 1 + skipped
        return self.judge.frame(self.session, self.number, self.now_ns)

    def live(self) -> bool:
        return self.judge.state(self.now_ns, 0).live

    def reason(self) -> str:
        return self.judge.state(self.now_ns, 0).reason


def living() -> Scene:
    """A link that has been well for two seconds."""
    scene = Scene()
    scene.run(2 * 10**9)
    assert scene.live() and scene.frame()
    return scene


def test_nothing_passes_before_the_offset_is_known() -> None:
    """Not before the first answer, and not before it has been learnt for a while."""
    scene = Scene()
    assert not scene.frame() and "no answer from tcp://there:1 yet" in scene.reason()
    scene.run(LEARN_NS // 2)
    assert not scene.frame() and "finding the clocks' offset" in scene.reason()
    scene.run(LEARN_NS)
    assert scene.frame() and scene.live() and scene.reason() == ""
    known = scene.judge.estimate(scene.now_ns)
    assert known is not None and abs(known.offset_ns - OFFSET_NS) <= known.uncertainty_ns


def test_a_few_exchanges_are_not_enough() -> None:
    """Answers every 200 ms: after 800 ms four have come, and nothing passes; with the fifth it does."""
    scene = Scene()
    for count in range(1, 6):
        scene.hear(scene.now_ns)
        scene.now_ns += 200_000_000
        assert scene.frame() == (count == 5), count


def test_an_answer_that_cannot_be_is_none() -> None:
    """To a question not yet asked, or given before it was heard: the other host is as silent as before."""
    scene = Scene()
    ahead, there = scene.now_ns + 1_000_000_000, scene.now_ns + OFFSET_NS
    scene.judge.hear(LinkAnswer(there, 1, ahead, there, "stamp", ""), scene.now_ns)
    scene.judge.hear(LinkAnswer(there, 1, scene.now_ns, there + 1, "stamp", ""), scene.now_ns)
    assert "no answer from tcp://there:1 yet" in scene.reason()
    scene.hear(scene.now_ns)
    assert "finding the clocks' offset" in scene.reason()


def test_silence_breaks_the_link_and_it_is_learnt_anew() -> None:
    """Without answers for the time-out nothing passes; when they come back it takes the learning time."""
    scene = living()
    scene.answers = False
    scene.run(TIMEOUT_NS - 2 * ASK_NS)
    assert scene.live()
    scene.run(4 * ASK_NS)
    assert not scene.live() and "no answer from tcp://there:1 for 0.5 s" in scene.reason()
    assert not scene.frame()
    scene.answers = True
    scene.run(LEARN_NS // 2)
    assert not scene.live() and not scene.frame()
    scene.run(LEARN_NS)
    assert scene.live() and scene.frame()


def test_silence_is_seen_before_what_comes_after_it_passes() -> None:
    """A bridge that stood still for seconds passes nothing on of what has piled up meanwhile."""
    scene = living()
    scene.now_ns += 3 * TIMEOUT_NS
    scene.judge.tick(scene.now_ns)
    assert not scene.frame()


def test_lost_messages_are_a_break() -> None:
    """A hole in the other bridge's numbers stops the link, says how many, and lasts the learning time."""
    scene = living()
    assert not scene.frame(skipped=3)
    assert "3 messages from tcp://there:1 were lost" in scene.reason()
    scene.run(LEARN_NS // 2)
    assert not scene.live()
    scene.run(LEARN_NS)
    assert scene.live()


def test_a_bridge_started_anew_is_another_clock() -> None:
    """Frames of a new session do not pass with the offset of the old one: its host may have rebooted."""
    scene = living()
    scene.session, scene.number = b"session2", 0
    assert not scene.frame()
    assert "has started anew" in scene.reason()
    assert scene.judge.estimate(scene.now_ns) is None, "what was known is of the old one"
    scene.run(2 * LEARN_NS)
    assert scene.frame() and scene.live()


def test_a_clock_that_jumps_is_a_break() -> None:
    """The other host was suspended: nothing passes until the new offset has been learnt."""
    scene = living()
    scene.answers = False
    question = None
    while question is None:
        scene.now_ns += STEP_NS
        question = scene.judge.tick(scene.now_ns)
    there = scene.now_ns + WAY_NS + OFFSET_NS - 10**9
    scene.now_ns += 2 * WAY_NS
    scene.judge.hear(LinkAnswer(there, 1, question.t_ns, there, "stamp", ""), scene.now_ns)
    assert not scene.frame() and "has jumped" in scene.reason()


def test_two_configurations_are_refused() -> None:
    """Hosts that do not agree on the physics do not float together."""
    scene = Scene()
    scene.stamp = "another"
    scene.run(2 * 10**9)
    assert not scene.live() and not scene.frame()
    assert "the configuration at tcp://there:1 is another one" in scene.reason()


def test_the_trouble_of_the_other_bridge_is_ours() -> None:
    """The link lives only if both directions do."""
    scene = Scene()
    scene.trouble = "5 messages were lost"
    scene.run(2 * 10**9)
    assert not scene.live() and "the other host says: 5 messages were lost" in scene.reason()


def test_a_link_too_slow_is_refused() -> None:
    """An offset that is known too badly is not used."""
    scene = Scene()
    scene.way_ns = 2 * MAX_UNCERTAINTY_NS
    scene.run(2 * 10**9)
    assert not scene.frame() and "uncertain by" in scene.reason()
