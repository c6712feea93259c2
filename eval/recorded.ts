import type { Assistant, RequestedCall } from './assistant.ts';
import type { Exchange } from './conversation.ts';
import type { Solution, ToolCall } from './story.ts';

/** Plays solutions, one a turn: each call by itself, then the words. Answers of its calls fill in "$2.data.0.id". */
export function recordedAssistant(solutions: readonly Solution[], exchanges: readonly Exchange[]): Assistant {
  let [turn, step] = [0, 0];
  return {
    async next({ messages }) {
      const turns = messages.filter(({ from }) => from === 'person').length;
      if (turns !== turn) [turn, step] = [turns, 0];
      const part = solutions[turn - 1]?.[step++] ?? '';
      if (typeof part === 'string') return { text: part, calls: [], usage: null };
      return { text: '', calls: [fillIn(part, exchanges, messages.length)], usage: null };
    },
  };
}

const fillIn = ({ name, args }: ToolCall, exchanges: readonly Exchange[], id: number): RequestedCall => ({
  id: `call_${id}`,
  name,
  args: JSON.parse(JSON.stringify(args), (_, value) =>
    typeof value === 'string' && /^\$\d+\./.test(value) ? valueAt(exchanges, value) : value,
  ),
});

function valueAt(exchanges: readonly Exchange[], reference: string): unknown {
  const [nth, ...path] = reference.slice(1).split('.');
  let value: unknown = exchanges[Number(nth) - 1]?.answer.body;
  for (const field of path) value = (value as Record<string, unknown> | undefined)?.[field];
  return value ?? `nothing at ${reference}`;
}
