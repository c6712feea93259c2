import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { PrimitiveSchemaDefinition } from '@modelcontextprotocol/sdk/types.js';

/** One question to the person, answered with one value. */
export interface Question {
  /** Name of the value in the form. */
  readonly name: string;
  readonly message: string;
  readonly schema: PrimitiveSchemaDefinition;
}

/** Asks the person; null where they decline, or no answer comes. What comes is not checked. */
export type AskPerson = (question: Question) => Promise<unknown>;

/** How long a person is waited for, in ms, by a client that hears meanwhile that the call goes on. */
const ANSWER_TIMEOUT_MS = 5 * 60_000;
/** The same by one that hears nothing: many give a call up after a minute, and its answer would be lost. */
const SHORT_ANSWER_TIMEOUT_MS = 50_000;

export interface ElicitationOptions {
  /** The call that is asked for ends, or the client goes away. */
  readonly signals: readonly AbortSignal[];
  readonly receivesProgress: boolean;
}

/** Asks through a client that has forms for it; undefined where it has none. */
export function personAsker(server: Server, { signals, receivesProgress }: ElicitationOptions): AskPerson | undefined {
  if (!server.getClientCapabilities()?.elicitation?.form) return undefined;
  return async ({ name, message, schema }) => {
    try {
      const { action, content } = await server.elicitInput(
        { message, requestedSchema: { type: 'object', properties: { [name]: schema }, required: [name] } },
        {
          signal: AbortSignal.any([...signals]),
          timeout: receivesProgress ? ANSWER_TIMEOUT_MS : SHORT_ANSWER_TIMEOUT_MS,
        },
      );
      return action === 'accept' ? (content?.[name] ?? null) : null;
    } catch {
      // Too late, cancelled, or a client that cannot do what it declared: the answer says what to ask.
      return null;
    }
  };
}
