import type { Confirmation } from '../schema/confirmation.ts';
import { AcequiaError } from '../schema/error.ts';

/** Rolls a call back before a person has confirmed it. */
export class ConfirmationRequired extends Error {
  readonly confirmation: Confirmation;

  constructor(confirmation: Confirmation) {
    super('A person has to confirm this call');
    this.confirmation = confirmation;
  }
}

export const CONFIRMATION_REQUIRED = 'CONFIRMATION_REQUIRED';

/** Only for a surface that asked for it: its message is the question to the person. */
export const confirmationRequired = (question: string): AcequiaError =>
  new AcequiaError({
    code: CONFIRMATION_REQUIRED,
    status: 409,
    message: question,
    hint: 'Nothing was changed. Put this question to the person, and repeat the call once they confirm it.',
  });
