import { useEffect, useState } from 'preact/hooks';
import { formatQuantity } from '../../language/american-quantities.ts';
import { languageOf } from '../../language/index.ts';
import { formatMinutes, formatShare } from '../../language/number-format.ts';
import type { WateringPreviewBody } from '../../schema/advice/farm-page.ts';
import { ErrorMessage } from '../notice.tsx';
import { type PageContextValue, usePage } from '../page-context.ts';
import { joinParts } from '../page-texts.ts';
import type { CallFields } from '../service/page-operations.ts';
import { NO_ANSWER, type ServiceError } from '../service/page-service.ts';
import { toServiceError } from '../service/use-loaded.ts';
import { parseTypedAmount } from './watering-form.ts';

interface Preview {
  readonly value: WateringPreviewBody | null;
  readonly error: ServiceError | null;
}

/** Short enough to follow the typing, long enough to send no request for each digit. */
const PAUSE_MS = 250;

const NO_PREVIEW: Preview = { value: null, error: null };

/** The dose that the service would record: it alone knows the equipment. */
export function useDosePreview(entry: CallFields<'preview_watering'> | null): Preview {
  const { service } = usePage();
  const [preview, setPreview] = useState(NO_PREVIEW);
  const key = JSON.stringify(entry);
  useEffect(() => {
    if (entry === null) {
      setPreview(NO_PREVIEW);
      return;
    }

    let isCurrent = true;

    const read = async (): Promise<void> => {
      const next = await service.call('preview_watering', entry).then(
        ({ body }): Preview => ({ value: body, error: null }),
        (error): Preview => ({ value: null, error: toServiceError(error) }),
      );
      if (isCurrent) setPreview(next);
    };

    const timer = setTimeout(read, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [key]);

  return preview;
}

/** True if the service would refuse the entry however often it is sent. */
export const isRefused = ({ error }: Preview): boolean =>
  error !== null && ![NO_ANSWER, 'rate_limited', 'STORE_UNAVAILABLE'].includes(error.code);

export function DosePreview({ value, error, amount }: Preview & { readonly amount: string }) {
  const { texts, lang } = usePage();
  const typed = amount.trim() === '' ? null : parseTypedAmount(amount);
  return (
    <section class="dose" aria-label={texts.dose} aria-live="polite">
      {error && <ErrorMessage error={error} lang={lang} />}
      {value && <Doses preview={value} />}
      {!value && !error && (
        <p class="note">{typeof typed === 'string' ? texts.amountFaults[typed] : texts.preview}</p>
      )}
    </section>
  );
}

type PreviewedWatering = WateringPreviewBody['waterings'][number];
type DeliveryFigures = Pick<
  PreviewedWatering,
  'waterMmWetted' | 'fractionWetted' | 'durationMin' | 'volumeM3'
>;

function Doses({ preview }: { readonly preview: WateringPreviewBody }) {
  const page = usePage();
  const { texts, timeOf } = page;
  const { waterings, status } = preview;
  const overlap = waterings.flatMap(({ overlaps }) => overlaps)[0];
  const warnings = [...new Set(waterings.flatMap((watering) => watering.warnings))];

  return (
    <>
      <p class="figure">
        {doseRange(waterings, page)}
        {waterings.length > 1 && <span class="small"> {texts.onEach(waterings.length)}</span>}
      </p>
      <p>{describeDelivery(preview, page)}</p>
      {warnings.map((warning) => (
        <p key={warning} class="small">
          {texts.warnings[warning]}
        </p>
      ))}
      {overlap && <p class="careful">{texts.overlaps(timeOf(overlap.startedAt))}</p>}
      <p class="small">{texts.willBe[status]}</p>
    </>
  );
}

function doseRange(waterings: readonly PreviewedWatering[], page: PageContextValue): string {
  const doses = waterings.flatMap(({ waterMm }) => waterMm ?? []);
  if (doses.length === 0) return page.texts.unknownDose;

  const [least, most] = [Math.min, Math.max].map((of) => formatQuantity(of(...doses), 'mm', page));
  return least === most ? `${least}` : languageOf(page.lang).time.range(`${least}`, `${most}`);
}

/**
 * Run time, volume and wetted dose, where all waterings have the same and the person did not type
 * it.
 */
function describeDelivery(
  { waterings, inputMode }: WateringPreviewBody,
  page: PageContextValue,
): string {
  const common = (name: keyof DeliveryFigures): number | null => {
    const [first, ...others] = waterings.map((watering) => watering[name]);
    return first !== undefined && others.every((value) => value === first) ? first : null;
  };

  const wettedMm = common('waterMmWetted');
  const fraction = common('fractionWetted');
  const durationMin = common('durationMin');
  const volumeM3 = common('volumeM3');
  return joinParts(
    wettedMm !== null &&
      fraction !== null &&
      page.texts.wetted(formatQuantity(wettedMm, 'mm', page), formatShare(fraction, page.lang)),
    durationMin !== null && inputMode !== 'duration' && formatMinutes(durationMin),
    volumeM3 !== null && inputMode !== 'volume_m3' && formatQuantity(volumeM3, 'm3', page),
  );
}
