import { useRef, useState } from 'preact/hooks';
import { bucketStart, MINUTE_MS } from '../../domain/periods.ts';
import type { FarmPageBody } from '../../schema/advice/farm-page.ts';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import { ErrorMessage } from '../notice.tsx';
import { usePage } from '../page-context.ts';
import { nameOfProbe } from '../page-texts.ts';
import { hrefOf, type PageRoute } from '../route.ts';
import type { ServiceError } from '../service/page-service.ts';
import { toServiceError } from '../service/use-loaded.ts';
import { newIdempotencyKey } from '../service/write-once.ts';
import { DosePreview, isRefused, useDosePreview } from './dose-preview.tsx';
import { ViewHeading } from './view-heading.tsx';
import { AmountField, StartField, TargetField } from './watering-fields.tsx';
import { toDatetimeLocal, type WateringForm, wateringArguments } from './watering-form.ts';

/** A new watering starts at the last quarter of an hour until the person says otherwise. */
const START_STEP_MS = 15 * MINUTE_MS;

export function LogView({ moduleId }: { readonly moduleId: number | null }) {
  const page = usePage();
  const { texts, zone, now, may, farm, lang } = page;
  const onlyProbe = farm.data.length === 1 ? farm.data[0] : undefined;
  const chosen = moduleId ?? onlyProbe?.moduleId ?? null;
  const [form, setForm] = useState<WateringForm>(() => ({
    target: chosen === null ? '' : `module ${chosen}`,
    start: toDatetimeLocal(bucketStart(now(), START_STEP_MS), zone),
    mode: 'duration',
    amount: '',
  }));

  const back: PageRoute = moduleId === null ? { view: 'farm' } : { view: 'probe', moduleId };
  const entry = wateringArguments(form, page);
  const preview = useDosePreview(entry);
  const { send, isSending, error } = useLogging(back);
  const change = (part: Partial<WateringForm>): void =>
    setForm((before) => ({ ...before, ...part }));

  if (!may('irrigation:write')) return <ReadOnly back={back} />;

  return (
    <main>
      <ViewHeading title={texts.log} back={back} />
      <form
        class="log"
        onSubmit={(event) => {
          event.preventDefault();
          if (entry !== null) void send(entry, preview.value?.status ?? 'done');
        }}
      >
        <div>
          <TargetField form={form} change={change} />
          <StartField form={form} change={change} />
          <AmountField form={form} change={change} />
        </div>
        <div>
          <DosePreview {...preview} amount={form.amount} />
          {error && <ErrorMessage error={error} lang={lang} />}
          <p class="actions">
            <button
              type="submit"
              class="primary"
              disabled={entry === null || isRefused(preview) || isSending}
            >
              {isSending ? texts.saving : texts.save}
            </button>
            <a class="button" href={hrefOf(back)}>
              {texts.cancel}
            </a>
          </p>
        </div>
      </form>
    </main>
  );
}

const ReadOnly = ({ back }: { readonly back: PageRoute }) => {
  const { texts } = usePage();
  return (
    <main>
      <ViewHeading title={texts.log} back={back} />
      <p class="note">{texts.readOnly}</p>
    </main>
  );
};

type WateringArguments = NonNullable<ReturnType<typeof wateringArguments>>;

function targetName(
  entry: WateringArguments,
  { data: probes, parcels = [] }: Pick<FarmPageBody, 'data' | 'parcels'>,
): string {
  if ('parcelId' in entry) {
    const isTarget = ({ parcelId }: { readonly parcelId: number | null }): boolean =>
      parcelId === entry.parcelId;
    return probes.find(isTarget)?.parcel ?? parcels.find(isTarget)?.name ?? '';
  }
  const probe = probes.find(({ moduleId }) => moduleId === entry.moduleId);
  return probe === undefined ? '' : nameOfProbe(probe);
}

/** One form logs once: a second tap, or a retry after a lost answer, is the same write. */
function useLogging(back: PageRoute) {
  const { service, notify, reload, texts, timeOf, farm } = usePage();
  const idempotencyKey = useRef(newIdempotencyKey());
  // A second tap may come before the button is disabled.
  const isUnderWay = useRef(false);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<ServiceError | null>(null);

  const send = async (entry: WateringArguments, status: WateringStatus): Promise<void> => {
    if (isUnderWay.current) return;

    isUnderWay.current = true;
    setSending(true);

    try {
      const operation = 'parcelId' in entry ? 'log_parcel_watering' : 'log_watering';
      const { changeId } = await service.call(operation, entry, {
        idempotencyKey: idempotencyKey.current,
      });
      const when = timeOf(entry.startedAt);

      notify({
        text: `${texts.saved[status]}: ${targetName(entry, farm)}, ${when}.`,
        changeId: changeId ?? null,
        error: null,
      });
      void reload();
      location.hash = hrefOf(back);
    } catch (failure) {
      setError(toServiceError(failure));
      setSending(false);
      isUnderWay.current = false;
    }
  };

  return { send, isSending, error };
}
