import type { AdvisoryOf } from '../../../src/language/advisory-sentences.ts';
import { FARM_NOW, HOUR } from '../../farm.ts';

export type Means = AdvisoryOf<'means_of_notice'>;

/** The means of a service that sends mail. */
export const MEANS: Means = {
  kind: 'means_of_notice',
  mail: 'leaves',
  areAlertsChecked: true,
  sender: null,
  sinceMin: null,
  isServed: true,
  store: 'default',
  devices: 0,
  recipients: ['Ana'],
  lastAnswer: null,
  silent: [],
  othersSilent: 0,
};

export type Undelivered = AdvisoryOf<'undelivered_mail'>;

/** A message that waits for a mail server. */
export const UNDELIVERED: Undelivered = {
  kind: 'undelivered_mail',
  waiting: 1,
  refused: 0,
  lastAnswer: null,
  oldestAt: FARM_NOW - 2 * HOUR,
  mail: 'no_server',
  isServed: false,
  store: 'server',
};
