import { MAX_BALANCE_DAYS } from '../../domain/advice/balance/balance-from-full.ts';
import { type ConditionInputs, FarmConditions } from '../../domain/advice/probe/farm-conditions.ts';
import { DRYING_RATE_DAYS, type ProbeFacts } from '../../domain/facts/probe-facts.ts';
import { isLongSilent } from '../../domain/facts/probe-history.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { coverOf } from '../../language/words/farming-terms.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';

type ConditionsCall = Pick<ComposedCall, 'now' | 'zone' | 'directory'>;
type ConditionsSource = Pick<FactSource, 'rain' | 'weather'>;

/** Over the days for which the balance of a parcel may run. */
export const loadLongPast = async (
  call: ConditionsCall,
  facts: ConditionsSource,
): Promise<FarmConditions> =>
  new FarmConditions(await loadConditions(call, facts, MAX_BALANCE_DAYS));

/** The conditions under which the probes of a farm are advised, loaded once for all of them. */
export class ConditionsOfProbes {
  readonly #call: ConditionsCall;
  readonly #facts: ConditionsSource;
  #conditions: ConditionInputs | undefined;
  #usual: FarmConditions | undefined;
  #longPast: Promise<FarmConditions> | undefined;
  #withLongPast: FarmConditions | undefined;

  constructor(call: ConditionsCall, facts: ConditionsSource) {
    this.#call = call;
    this.#facts = facts;
  }

  async of(probe: ProbeFacts | undefined): Promise<FarmConditions> {
    this.#conditions ??= await loadConditions(this.#call, this.#facts, DRYING_RATE_DAYS);
    if (probe === undefined || !isLongSilent(probe, this.#call)) {
      this.#usual ??= new FarmConditions(this.#conditions);
      return this.#usual;
    }

    this.#withLongPast ??= new FarmConditions(this.#conditions, await this.longPast());
    return this.#withLongPast;
  }

  /** Over the days for which a balance may run. */
  longPast(): Promise<FarmConditions> {
    this.#longPast ??= loadLongPast(this.#call, this.#facts);
    return this.#longPast;
  }
}

async function loadConditions(
  { now, zone, directory }: ConditionsCall,
  facts: ConditionsSource,
  days: number,
): Promise<ConditionInputs> {
  const rain = await facts.rain({ from: now - days * DAY_MS, to: now + 1 });
  const parcels = await directory.parcels();
  const coverByParcel = new Map(parcels.map((parcel) => [parcel.id, coverOf(parcel)]));
  const today = LocalDay.at(now, zone);
  const weather =
    days === DRYING_RATE_DAYS
      ? await facts.weather()
      : await facts.weather({
          from: today.plus(-days).iso,
          to: today.iso,
        });
  return { now, zone, rain, weather, coverByParcel };
}
