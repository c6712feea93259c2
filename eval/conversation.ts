import type { Assistant, Message, RequestedCall, Usage } from './assistant.ts';
import type { Farm } from './farm.ts';
import type { ToolAnswer } from './mcp-server.ts';
import { problemsOf, type TurnOutcome } from './score.ts';
import { type StageOptions, StoryStage } from './stage.ts';
import type { FarmState } from './state.ts';
import type { Story } from './story.ts';
import { estimatedUsage } from './tokens.ts';

/** Per turn; an assistant that needs more steps will not finish. */
const MAX_STEPS = 15;

export interface Exchange extends RequestedCall {
  readonly answer: ToolAnswer;
}

export interface StoryResult {
  readonly problems: readonly string[];
  readonly before: FarmState;
  readonly exchanges: readonly Exchange[];
  readonly outcomes: readonly TurnOutcome[];
  readonly usage: Usage;
  /** Estimated where the endpoint reports no tokens. */
  readonly isEstimate: boolean;
}

/** `assistantFor` gets the answers of the calls so far, which grow as the story goes on. */
export async function playStory(
  story: Story,
  farm: Farm,
  options: StageOptions,
  assistantFor: (exchanges: readonly Exchange[]) => Assistant,
): Promise<StoryResult> {
  const stage = await StoryStage.create(story, farm, options);
  try {
    return await play(story, farm, stage, assistantFor);
  } finally {
    await stage.close();
  }
}

async function play(
  story: Story,
  farm: Farm,
  stage: StoryStage,
  assistantFor: (exchanges: readonly Exchange[]) => Assistant,
): Promise<StoryResult> {
  const before = story.before.length === 0 ? farm.state : await stage.readState();
  const prompt = await stage.prompt();
  const messages: Message[] = [];
  const exchanges: Exchange[] = [];
  const outcomes: TurnOutcome[] = [];
  const assistant = assistantFor(exchanges);
  let state = before;
  let usage: Usage = { input: 0, output: 0 };
  let isEstimate = false;
  for (const { words } of story.turns) {
    messages.push({ from: 'person', text: words });
    let reply: string | null = null;
    const exchangesBefore = exchanges.length;
    for (let nth = 0; nth < MAX_STEPS && reply === null; nth++) {
      const step = await assistant.next({ ...prompt, messages });
      const stepUsage = step.usage ?? estimatedUsage({ ...prompt, messages }, step);
      isEstimate ||= step.usage === null;
      usage = { input: usage.input + stepUsage.input, output: usage.output + stepUsage.output };
      messages.push({ from: 'assistant', text: step.text, calls: step.calls });
      if (step.calls.length === 0) reply = step.text;
      for (const call of step.calls) {
        const answer = await stage.call(call.name, call.args);
        exchanges.push({ ...call, answer });
        messages.push({
          from: 'tool',
          callId: call.id,
          text: answer.text,
          isError: answer.isError,
        });
      }
    }
    const used = exchanges
      .slice(exchangesBefore)
      .flatMap(({ name, answer }) => (answer.isError ? [] : [name]));
    if (exchanges.length > exchangesBefore) state = await stage.readState();
    outcomes.push({ reply: reply ?? '', used, state });
    if (reply === null) break;
  }
  return {
    before,
    problems: problemsOf(story, before, outcomes),
    exchanges,
    outcomes,
    usage,
    isEstimate,
  };
}
