import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { formatQuantity } from '../../language/american-quantities.ts';
import { formatMoisture } from '../../language/number-format.ts';
import type { PageProbe } from '../../schema/advice/farm-page.ts';
import { ErrorMessage } from '../notice.tsx';
import { usePage } from '../page-context.ts';
import {
  describeAmounts,
  describeWitness,
  isTension,
  joinParts,
  probeUnit,
} from '../page-texts.ts';
import type { CallBody } from '../service/page-operations.ts';
import type { Service } from '../service/page-service.ts';
import { useLoaded } from '../service/use-loaded.ts';

/** The last and the next watering, and the newest value of each depth. */
export function ProbeDetails({ probe }: { readonly probe: PageProbe }) {
  const { service, lang, texts, versionOf, now } = usePage();
  const { moduleId, parcelId, time } = probe;
  const { value, error, load } = useLoaded(async () => {
    // A tensiometer often has no watering of its own: those of its parcel count.
    const target = isTension(probe) && parcelId !== null ? { parcelId } : { moduleId };
    const newest = { ...target, limit: 1 };
    const from = iso(now());
    const [depths, last, next] = await Promise.all([
      time === null ? [] : readDepths(service, probe, Date.parse(time)),
      service.call('list_waterings', { ...newest, status: 'done' }),
      service.call('list_waterings', { ...newest, status: 'planned', from, order: 'past_first' }),
    ]);

    return { depths, last: last.body, next: next.body };
  }, [moduleId, time, versionOf(moduleId)]);
  if (value === null) return error && <ErrorMessage error={error} lang={lang} onRetry={load} />;

  return (
    <>
      <section class="waterings">
        <h2>{texts.waterings}</h2>
        <dl>
          <Watering label={texts.last} newest={value.last} />
          <Watering label={texts.next} newest={value.next} />
        </dl>
      </section>
      {value.depths.length > 0 && <Depths depths={value.depths} unit={probeUnit(probe)} />}
    </>
  );
}

function Watering({
  label,
  newest: {
    data: [watering],
    witness,
  },
}: {
  readonly label: string;
  readonly newest: CallBody<'list_waterings'>;
}) {
  const page = usePage();
  const { texts, timeOf } = page;
  const seen = witness?.[0];
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {watering === undefined ? (
          texts.none
        ) : (
          <>
            <strong>{timeOf(watering.startedAt)}</strong>
            <br />
            {joinParts(describeAmounts(watering, page), seen && describeWitness(seen, texts))}
          </>
        )}
      </dd>
    </div>
  );
}

interface DepthValue {
  readonly depth: number;
  readonly value: number;
}

async function readDepths(
  service: Service,
  probe: PageProbe,
  newestAt: number,
): Promise<DepthValue[]> {
  const period = { start: iso(newestAt - MAX_FRESH_AGE_MS), end: iso(newestAt + 1) };
  const type = isTension(probe) ? 'tensio' : 'humidity';
  const fields = { moduleId: probe.moduleId, type, ...period, depths: true };
  const { body } = await service.call('get_moisture_series', fields);
  return (body.sensors ?? []).flatMap(({ depth, values }) => {
    const value = values.findLast((known) => known !== null);
    return depth === null || value == null ? [] : [{ depth, value: Math.abs(value) }];
  });
}

const iso = (at: number): string => new Date(at).toISOString();

/** In %: the end of the bars, so that those of dry soil look short. */
const MIN_FULL_PERCENT = 40;

function Depths({
  depths,
  unit,
}: {
  readonly depths: readonly DepthValue[];
  readonly unit: string;
}) {
  const page = usePage();
  const { lang, texts } = page;
  const highest = Math.max(...depths.map(({ value }) => value));
  const full = unit === '%' ? Math.max(highest, MIN_FULL_PERCENT) : highest;
  return (
    <section class="depths">
      <h2>{texts.depths}</h2>
      <dl>
        {depths.map(({ depth, value }, index) => (
          // The key is the index, because two sensors may be at one depth.
          <div key={index}>
            <dt>{formatQuantity(depth, 'cm', page)}</dt>
            <dd>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect class="track" width="100" height="8" />
                <rect class="filled" width={(100 * value) / full} height="8" />
              </svg>
              <span class="reading">
                {formatMoisture(value, lang)} {unit}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
