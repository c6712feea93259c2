import type { Call } from '../../../operation/call.ts';
import type { FindWitnesses } from '../../irrigation/waterings.ts';
import { loadWitnesses } from '../witnesses.ts';
import { StoreFacts } from './store-facts.ts';

export const storeWitnesses =
  (call: Call): FindWitnesses =>
  (waterings) =>
    loadWitnesses(new StoreFacts(call), waterings, call.now);
