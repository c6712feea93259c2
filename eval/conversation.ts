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
  const conversation = new Conversation(stage, assistantFor);
  const outcomes: TurnOutcome[] = [];
  let state = before;
  for (const { words, as } of story.turns) {
    const exchangesBefore = conversation.exchanges.length;
    const reply = await conversation.say(words, as);
    const exchanges = conversation.exchanges.slice(exchangesBefore);
    if (exchanges.length > 0) state = await stage.readState();
    outcomes.push({
      reply: reply ?? '',
      used: exchanges.flatMap(({ name, answer }) => (answer.isError ? [] : [name])),
      answers: exchanges.flatMap(({ answer: { text, body } }) => [text, body]),
      hasWritten: exchanges.some(({ answer }) => answer.isWrite),
      state,
    });
    if (reply === null) break;
  }
  const { exchanges, usage, isEstimate } = conversation;
  const problems = problemsOf(story, before, outcomes);
  return { before, problems, exchanges, outcomes, usage, isEstimate };
}

class Conversation {
  readonly exchanges: Exchange[] = [];
  usage: Usage = { input: 0, output: 0 };
  isEstimate = false;
  readonly #stage: StoryStage;
  readonly #assistant: Assistant;
  /** Each member talks with an assistant of their own, which hears nothing of the others. */
  readonly #messages = new Map<string | undefined, Message[]>();

  constructor(stage: StoryStage, assistantFor: (exchanges: readonly Exchange[]) => Assistant) {
    this.#stage = stage;
    this.#assistant = assistantFor(this.exchanges);
  }

  /** The reply to the words of a member; null if the assistant does not come to an end. */
  async say(words: string, member: string | undefined): Promise<string | null> {
    const messages = this.#messages.get(member) ?? [];
    this.#messages.set(member, messages);
    messages.push({ from: 'person', text: words });
    const prompt = { ...(await this.#stage.prompt(member)), messages };
    for (let nth = 0; nth < MAX_STEPS; nth++) {
      const step = await this.#assistant.next(prompt);
      this.#count(step.usage ?? estimatedUsage(prompt, step));
      this.isEstimate ||= step.usage === null;
      messages.push({ from: 'assistant', text: step.text, calls: step.calls });
      if (step.calls.length === 0) return step.text;
      for (const call of step.calls) messages.push(await this.#call(call, member));
    }
    return null;
  }

  async #call(call: RequestedCall, member: string | undefined): Promise<Message> {
    const answer = await this.#stage.call(call, member);
    this.exchanges.push({ ...call, answer });
    return { from: 'tool', callId: call.id, text: answer.text, isError: answer.isError };
  }

  #count({ input, output }: Usage): void {
    this.usage = { input: this.usage.input + input, output: this.usage.output + output };
  }
}
