import type { AnswerText, RenderedText } from '../language/text/rendered-text.ts';
import type { Advisory } from '../schema/advisory.ts';

export interface Picture {
  readonly mimeType: 'image/png';
  readonly data: Uint8Array;
}

export interface OperationResult extends AnswerText {
  readonly body: unknown;
  /** Replaces `body` for a channel that wants JSON text. */
  readonly json?: string | undefined;
  /** The body before `detail` shortened it. */
  readonly fullBody: unknown;
  readonly picture?: Picture | undefined;
  readonly advisories: readonly Advisory[];
  /** The advisories as sentences, if the request wants them. */
  readonly advisoryTexts?: readonly RenderedText[] | undefined;
  /** True if this is the stored answer of an earlier call with the same key. */
  readonly isReplay: boolean;
  /** Says first that this is a replay; the summary is that of the first answer. */
  readonly replayText?: AnswerText | undefined;
  /** When the answer was made, in ms; absent if nobody knows. */
  readonly answeredAt?: number | undefined;
  /** The change that the call made, for undo. Null if nothing changed. */
  readonly changeId?: number | null | undefined;
  /**
   * Undoes what the call wrote; false if others have changed it since. Absent if it wrote nothing.
   */
  readonly takeBack?: (() => Promise<boolean>) | undefined;
}
