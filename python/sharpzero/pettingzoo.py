"""The game as an environment of PettingZoo (its AEC interface): ``env()``. Needs ``pettingzoo``."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import Position, RuleSet, ScoringTable, planes, policy_indices, shape

WHITE, BLACK = "player_0", "player_1"


def env(**options: Any) -> AECEnv:
    """A RawEnv(**options) that refuses illegal actions and wrong order, as PettingZoo's own do."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.TerminateIllegalWrapper(RawEnv(**options), illegal_reward=-1)
    )


class RawEnv(AECEnv):
    """One game of two agents: player_0 is White, player_1 Black.

    An observation is a dict: "observation" float32 [P, 8, 8] and "globals" float32 [G], both as of
    sharpzero.planes() and seen by the side to move; "action_mask" int8 [policy size], all zero for
    who is not to move. An action is a policy index. Rewards come at the end: the points of the
    outcome, scaled to [-1, 1], with the sum 0. Cards are drawn by the environment, from the seed of
    reset(). With cards a turn may be more than one action of one agent.

    rules, table: as of Position and its outcome(). lookahead: as of planes(). render_mode: None, or
    "ansi", with which render() returns the position as FEN.
    """

    metadata = {"name": "sharpzero_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        rules: RuleSet | str = "chess_sharp",
        table: ScoringTable | str | None = None,
        lookahead: int = 2,
        render_mode: str | None = None,
    ):
        super().__init__()
        self.rules = RuleSet(rules) if isinstance(rules, str) else rules
        self.table = ScoringTable(table, self.rules) if isinstance(table, str) else table
        self.lookahead = lookahead
        self.render_mode = render_mode
        self.possible_agents = [WHITE, BLACK]
        board, inputs, self._actions = shape(self.rules)
        self._action_spaces = {a: spaces.Discrete(self._actions) for a in self.possible_agents}
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (board, 8, 8), np.float32),
                    "globals": spaces.Box(-np.inf, np.inf, (inputs,), np.float32),
                    "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Starts a game. options: {"fen": …} starts it there."""
        self._random = np.random.default_rng(seed)
        number = int(self._random.integers(960))  # of a shuffled setup
        self.position = Position((options or {}).get("fen"), self.rules, number=number)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self._settle()

    def step(self, action: int | None) -> None:
        """Plays the action of agent_selection. Raises ValueError unless it is legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        (found,) = np.nonzero(self._indices == action)
        if len(found) != 1:
            raise ValueError(f"action {action}: expected a legal move's in {self.position.fen}")
        self._cumulative_rewards[agent] = 0.0
        self.position.push(self.position.legal_moves[found[0]])
        self._settle()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        board, inputs = self._inputs
        mask = np.zeros(self._actions, np.int8)
        if agent == self.agent_selection:
            mask[self._indices] = 1
        return {"observation": board, "globals": inputs, "action_mask": mask}

    def render(self) -> str | None:
        return self.position.fen if self.render_mode == "ansi" else None

    def _settle(self) -> None:
        """Draws what chance has to, then notes who is to move, or how the game has ended."""
        while self.position.is_chance and self.position.outcome(self.table) is None:
            cards, chances = zip(*self.position.draws)
            self.position.push(cards[self._random.choice(len(cards), p=chances)])
        points = self.position.points(self.table)
        if points is not None:
            white = points / 5 - 1
            self.rewards = {WHITE: white, BLACK: -white}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = WHITE if self.position.side_to_move == "white" else BLACK
        self._inputs = planes(self.position, self.table, self.lookahead)
        self._indices = policy_indices(self.position)
