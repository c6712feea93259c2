import { useEffect, useRef, useState } from 'preact/hooks';
import { INPUT_MODES } from '../../domain/irrigation/watering-amount.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { PageProbe } from '../../schema/advice/farm-page.ts';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import { ErrorMessage } from '../notice.tsx';
import { usePage } from '../page-context.ts';
import { nameOfProbe } from '../page-texts.ts';
import { hrefOf, type PageRoute } from '../route.ts';
import type { ServiceError } from '../service/service.ts';
import { toServiceError } from '../service/use-loaded.ts';
import { newIdempotencyKey } from '../service/write-once.ts';
import { DosePreview, isRefused, useDosePreview } from './dose-preview.tsx';
import { ViewHeading } from './view-heading.tsx';
import {
  parseDatetimeLocal,
  toDatetimeLocal,
  type WateringForm,
  wateringArguments,
} from './watering-form.ts';

export function LogView({ moduleId }: { readonly moduleId: number | null }) {
  const { texts, zone, now, may, farm, lang } = usePage();
  const [first, second] = farm.data;
  const single = second === undefined ? first?.moduleId : undefined;
  const chosen = moduleId ?? single ?? null;
  const [form, setForm] = useState<WateringForm>(() => ({
    target: chosen === null ? '' : `module ${chosen}`,
    start: toDatetimeLocal(Math.floor(now() / (15 * MINUTE_MS)) * 15 * MINUTE_MS, zone),
    mode: 'duration',
    amount: '',
  }));

  const back: PageRoute = moduleId === null ? { view: 'farm' } : { view: 'probe', moduleId };
  const entry = wateringArguments(form, zone);
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

function targetName(entry: WateringArguments, probes: readonly PageProbe[]): string {
  if ('parcelId' in entry)
    return probes.find(({ parcelId }) => parcelId === entry.parcelId)?.parcel ?? '';
  const probe = probes.find(({ moduleId }) => moduleId === entry.moduleId);
  return probe === undefined ? '' : nameOfProbe(probe);
}

/** One form logs once: a second tap, or a retry after a lost answer, is the same write. */
function useLogging(back: PageRoute) {
  const { service, notify, reload, texts, timeOf, farm } = usePage();
  const idempotencyKey = useRef(newIdempotencyKey());
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
        text: `${texts.saved[status]}: ${targetName(entry, farm.data)}, ${when}.`,
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

interface FieldProps {
  readonly form: WateringForm;
  change(part: Partial<WateringForm>): void;
}

function TargetField({ form, change }: FieldProps) {
  const { farm, texts } = usePage();
  const parcels = [
    ...new Map(farm.data.flatMap(({ parcelId, parcel }) => (parcelId ? [[parcelId, parcel]] : []))),
  ];
  const probesWithoutParcel = farm.data.filter(({ parcelId }) => parcelId === null);

  return (
    <label class="field">
      <span>{texts.where}</span>
      <select
        required
        value={form.target}
        onChange={(event) => change({ target: event.currentTarget.value })}
      >
        {form.target === '' && (
          <option value="" disabled>
            {texts.choose}
          </option>
        )}
        {parcels.map(([parcelId, parcel]) => {
          const probes = farm.data.filter((probe) => probe.parcelId === parcelId);
          return (
            <optgroup key={parcelId} label={parcel ?? ''}>
              {probes.length > 1 && (
                <option value={`parcel ${parcelId}`}>
                  {texts.wholeParcel(parcel ?? '', probes.length)}
                </option>
              )}
              {probes.map((probe) => (
                <option key={probe.moduleId} value={`module ${probe.moduleId}`}>
                  {nameOfProbe(probe)}
                </option>
              ))}
            </optgroup>
          );
        })}
        {probesWithoutParcel.map((probe) => (
          <option key={probe.moduleId} value={`module ${probe.moduleId}`}>
            {nameOfProbe(probe)}
          </option>
        ))}
      </select>
    </label>
  );
}

function StartField({ form, change }: FieldProps) {
  const { texts, zone } = usePage();
  const isSkipped = parseDatetimeLocal(form.start, zone) === 'gap';
  return (
    <label class="field">
      <span>{texts.when}</span>
      <input
        type="datetime-local"
        required
        value={form.start}
        aria-describedby="zone"
        onInput={(event) => change({ start: event.currentTarget.value })}
      />
      <span class="small" id="zone">
        {isSkipped ? texts.skippedHour : texts.localTime(zone)}
      </span>
    </label>
  );
}

function AmountField({ form, change }: FieldProps) {
  const { texts } = usePage();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  return (
    <>
      <fieldset class="field segments">
        <legend>{texts.amount}</legend>
        {INPUT_MODES.map((mode) => (
          <label key={mode}>
            <input
              type="radio"
              name="mode"
              checked={form.mode === mode}
              onChange={() => change({ mode })}
            />
            <span>{texts.modes[mode]}</span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span class="hidden">{texts.amountLabel[form.mode]}</span>
        <span class="amount">
          <input
            ref={input}
            type="text"
            inputMode="decimal"
            autocomplete="off"
            required
            value={form.amount}
            onInput={(event) => change({ amount: event.currentTarget.value })}
          />
          <span aria-hidden="true">{texts.amountLabel[form.mode]}</span>
        </span>
      </label>
    </>
  );
}
