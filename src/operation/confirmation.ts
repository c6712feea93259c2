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

/** In a request: a person can be asked, in this language. A service that does not know it asks nothing. */
export const CONFIRMATION_HEADER = 'acequia-confirmation';

export const CONFIRMATION_REQUIRED = 'CONFIRMATION_REQUIRED';

/** For a caller that can ask the person: its message is the question to the person. */
export const confirmationRequired = (question: string): AcequiaError =>
  new AcequiaError({
    code: CONFIRMATION_REQUIRED,
    status: 409,
    message: question,
    hint: 'Nothing was changed. Put this question to the person, and repeat the call once they confirm it.',
  });
