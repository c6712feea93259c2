import type { Prompt, Resource, ResourceTemplate, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { AnyOperation } from '../operation/operation.ts';

/** A prompt as it is listed, with the text that a client gets for it. */
export interface CatalogPrompt extends Prompt {
  /** Markdown; `{{argument: words without it}}` is filled in. */
  readonly text: string;
  /** Names of the tools that the text speaks of. */
  readonly needs: readonly string[];
}

/** A resource is what a read operation answers: the URI's variables are its arguments. */
export interface ResourceSource {
  readonly operation: string;
  /** What the operation is asked beside the URI's variables. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Of a list, read to its end, the rows of which this flag holds: names on the way to it. */
  readonly onlyFlagged?: readonly string[];
}

/** Everything that is listed, rendered from the operations when the program is built. */
export interface Catalog {
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** By name, what decides whether an operation is within reach. */
  readonly kinds: Readonly<Record<string, Pick<AnyOperation, 'toolset' | 'effect'>>>;
  readonly prompts: readonly CatalogPrompt[];
  readonly resources: readonly (Resource & ResourceSource)[];
  readonly resourceTemplates: readonly (ResourceTemplate & ResourceSource)[];
}
