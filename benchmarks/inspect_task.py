"""Make a log as inspect itself writes it: `python inspect_task.py FOLDER SAMPLES EPOCHS`, in inspect's environment.

No model is asked: the solver answers at once, every fifth time wrongly, with a transcript of a usual size.
"""

import sys

import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ModelOutput, ModelUsage
from inspect_ai.scorer import includes
from inspect_ai.solver import Generate, TaskState, solver


@solver
def answering():
    async def solve(state: TaskState, _: Generate) -> TaskState:
        number = int(state.sample_id)
        said = "yes" if (number + state.epoch) % 5 else "no"
        turns = [f"step {turn} of {number}: " + "considering what was asked " * 12 for turn in range(8)]
        state.messages += [ChatMessageAssistant(content=turn) for turn in turns]
        state.output = ModelOutput.from_content("mockllm/model", said)
        state.output.usage = ModelUsage(input_tokens=100, output_tokens=20, total_tokens=120)
        return state

    return solve


if __name__ == "__main__":
    folder, samples, epochs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    dataset = [Sample(id=str(n), input=f"Is {n} a whole number?", target="yes") for n in range(samples)]
    task = inspect_ai.Task(dataset=dataset, solver=answering(), scorer=includes(), name="whole")
    [log] = inspect_ai.eval(
        task, model="mockllm/model", epochs=epochs, log_dir=folder, log_format="eval", display="none"
    )
    sys.exit(log.status != "success")
