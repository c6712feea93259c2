import type { Assistant, RequestedCall } from './assistant.ts';
import type { Exchange } from './conversation.ts';
import type { Solution, ToolCall } from './story.ts';

/**
 * Plays one solution per turn: each call in a step of its own, then the reply. "$2.data.0.id" is a
 * value of the second answer.
 */
export function recordedAssistant(
  solutions: readonly Solution[],
  exchanges: readonly Exchange[],
): Assistant {
  let [turn, stepIndex] = [0, 0];
  return {
    async next({ messages }) {
      if (messages.at(-1)?.from === 'person') [turn, stepIndex] = [turn + 1, 0];
      const step = solutions[turn - 1]?.[stepIndex++] ?? '';
      if (typeof step === 'string') return { text: step, calls: [], usage: null };
      return { text: '', calls: [fillIn(step, exchanges, messages.length)], usage: null };
    },
  };
}

const fillIn = (
  { name, args }: ToolCall,
  exchanges: readonly Exchange[],
  id: number,
): RequestedCall => ({
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
