import type { Tool } from '@modelcontextprotocol/sdk/types.js';

export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export type Message =
  | { readonly from: 'person'; readonly text: string }
  | { readonly from: 'assistant'; readonly text: string; readonly calls: readonly RequestedCall[] }
  | {
      readonly from: 'tool';
      readonly callId: string;
      readonly text: string;
      readonly isError: boolean;
    };

export interface Prompt {
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly messages: readonly Message[];
}

/** Tokens, or null where the endpoint reports none. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

export interface Step {
  readonly text: string;
  /** Without calls the turn ends with the text. */
  readonly calls: readonly RequestedCall[];
  readonly usage: Usage | null;
}

export interface Assistant {
  next(prompt: Prompt): Promise<Step>;
}
