import type { ReadMessage } from '../payload/read-payload.ts';

/** In ms. */
export interface PullWindow {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly page: number;
}

/** The secrets of an account with a provider, by the names that the provider gives them. */
export type Credentials<Name extends string = string> = Readonly<Record<Name, string>>;

export interface ProviderRequest {
  /** Includes the query, which may hold a key, so it must not be logged. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The contents of an answer. No provider reports gateways. */
export type AnswerItems = Omit<
  ReadMessage,
  'gateways' | 'kind' | 'source' | 'sampleWithoutValues' | 'firstFailure'
>;

export interface PulledItems extends AnswerItems {
  readonly hasNextPage: boolean;
}

export interface AnswerContext {
  /**
   * The start of the requested period, in ms. A local time that occurs twice is read as its second
   * pass if the first is before the period.
   */
  readonly from: number;
  readonly zone: string;
  readonly now: number;
}

/** The cloud of a maker of loggers or stations. */
export interface PullProvider<Name extends string = string> {
  /** The hosts that may be contacted; the first is the default. */
  readonly hosts: readonly [string, ...string[]];
  /** The longest period of a request. */
  readonly windowMs: number;
  /** The pause between two requests for a device. */
  readonly pauseMs: number;
  request(
    device: string,
    window: PullWindow,
    credentials: Credentials<Name>,
    zone: string,
  ): ProviderRequest;
  read(body: Uint8Array, device: string, context: AnswerContext): PulledItems;
}

export class UnreadableAnswerError extends Error {}
