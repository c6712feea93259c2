import { sentences } from '../../src/domain/text/say.ts';
import type { Text } from '../../src/domain/text/text.ts';
import { describeAdvisories } from '../../src/language/advisories.ts';
import type {
  NamedModule,
  NamedParcel,
  SummaryContext,
} from '../../src/language/summary-context.ts';
import type { Advisory } from '../../src/schema/advisory.ts';
import { FARM_NOW } from '../farm.ts';

export const MODULE: NamedModule = {
  id: 1,
  name: 'North 1',
  uid: 'A84041FFFF181F0D',
  category: 'SOIL_PROBE',
  parcelId: 1,
};

interface Names {
  readonly modules?: readonly NamedModule[];
  readonly parcels?: readonly NamedParcel[];
}

/** The context of a farm near Paris, at the time of the farm of the tests. */
export const contextOf = ({ modules = [], parcels = [] }: Names = {}): SummaryContext => ({
  now: FARM_NOW,
  zone: 'Europe/Paris',
  isZoneDeclared: true,
  units: 'metric',
  directory: { modules: async () => modules, parcels: async () => parcels },
});

/** The sentence of an advisory. */
export const adviceOf = (advisory: Advisory): Text =>
  sentences(describeAdvisories([advisory], { now: FARM_NOW, zone: 'Europe/Paris' }));
