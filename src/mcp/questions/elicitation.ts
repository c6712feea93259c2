import type { Server } from '@modelcontextprotocol/server';
import { MINUTE_MS } from '../../domain/periods.ts';
import { MAX_REFERENCE_TEXT } from '../../domain/text/greatest-lengths.ts';
import {
  type AskPerson,
  DECLINED,
  type PersonAnswer,
  type Question,
} from '../../operation/question.ts';

export const questionForm = ({ name, message, schema }: Question) => ({
  message,
  requestedSchema: { type: 'object' as const, properties: { [name]: schema }, required: [name] },
});

/** Null for what is no answer: a form asks for a choice, a figure or a yes. */
export function formAnswer(value: unknown): PersonAnswer {
  if (typeof value === 'string') return value.length > MAX_REFERENCE_TEXT ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** If the client receives progress meanwhile. */
const ANSWER_TIMEOUT_MS = 5 * MINUTE_MS;
/** If it does not: many clients time out after a minute, and the answer would be lost. */
const SHORT_ANSWER_TIMEOUT_MS = 50_000;

interface ElicitationOptions {
  readonly signals: readonly AbortSignal[];
  readonly receivesProgress: boolean;
}

export function personAsker(
  server: Server,
  { signals, receivesProgress }: ElicitationOptions,
): AskPerson | undefined {
  if (!server.getClientCapabilities()?.elicitation?.form) return undefined;

  return async (question) => {
    try {
      const { action, content } = await server.elicitInput(questionForm(question), {
        signal: AbortSignal.any([...signals]),
        timeout: receivesProgress ? ANSWER_TIMEOUT_MS : SHORT_ANSWER_TIMEOUT_MS,
      });
      return action === 'accept' ? formAnswer(content?.[question.name]) : DECLINED;
    } catch {
      // Timed out, cancelled, or a client that does not support what it declared. The result then
      // says what to ask.
      return null;
    }
  };
}
