import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Surface } from '../observe/listener.ts';
import { codeOf } from '../observe/observed-store.ts';
import type { Observer } from '../observe/observer.ts';
import type { Incoming } from '../observe/request-id.ts';
import type { Trail } from '../observe/trail.ts';
import type { AcequiaError } from '../schema/error.ts';
import type { Answers } from './answers.ts';

/** The same answers, each followed as a call that came in by `surface`. */
export function observedAnswers(answers: Answers, observer: Observer, surface: Surface): Answers {
  async function followed<T>(
    operation: string,
    run: (trail: Trail) => Promise<T>,
    told: { incoming?: Incoming | undefined; codeIn?: (answer: T) => string | null } = {},
  ): Promise<T> {
    const trail = observer.begin({ surface, operation, incoming: told.incoming });
    try {
      const answer = await run(trail);
      trail.end(told.codeIn?.(answer) ?? null);
      return answer;
    } catch (error) {
      trail.end(error instanceof McpError ? codeIn(error.data) : codeOf(error));
      throw error;
    }
  }

  return {
    ...answers,
    callTool: (name, sent, during = {}) =>
      followed(name, (trail) => answers.callTool(name, sent, { ...during, trail }), {
        incoming: during.incoming,
        codeIn: ({ isError, _meta }) => (isError ? codeIn(_meta?.['acequia/error']) : null),
      }),
    readResource: (uri) => followed('resources/read', (trail) => answers.readResource(uri, trail)),
    complete: (argument, begun) => followed('completion/complete', (trail) => answers.complete(argument, begun, trail)),
  };
}

/** The code of a refusal as it is sent. */
const codeIn = (error: unknown): string => (error as AcequiaError | undefined)?.code ?? 'not_found';
