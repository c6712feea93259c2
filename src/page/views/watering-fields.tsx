import { useEffect, useRef } from 'preact/hooks';
import { INPUT_MODES, type InputMode } from '../../domain/irrigation/watering-amount.ts';
import { waterUnitOf } from '../../language/american-quantities.ts';
import { languageOf } from '../../language/index.ts';
import type { PageProbe } from '../../schema/advice/farm-page.ts';
import { usePage } from '../page-context.ts';
import { nameOfProbe } from '../page-texts.ts';
import { parseDatetimeLocal, type WateringForm } from './watering-form.ts';

interface FieldProps {
  readonly form: WateringForm;
  change(part: Partial<WateringForm>): void;
}

export function TargetField({ form, change }: FieldProps) {
  const { farm, texts } = usePage();
  const parcelIds = new Set(farm.data.map(({ parcelId }) => parcelId));
  const probesIn = (parcelId: number | null) =>
    farm.data.filter((probe) => probe.parcelId === parcelId);

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
        {[...parcelIds].map(
          (parcelId) =>
            parcelId !== null && (
              <ParcelOptions key={parcelId} parcelId={parcelId} probes={probesIn(parcelId)} />
            ),
        )}
        <ProbeOptions probes={probesIn(null)} />
        {farm.parcels?.map(({ parcelId, name }) => (
          <option key={parcelId} value={`parcel ${parcelId}`}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ParcelOptionsProps {
  readonly parcelId: number;
  readonly probes: readonly PageProbe[];
}

function ParcelOptions({ parcelId, probes }: ParcelOptionsProps) {
  const { texts } = usePage();
  const name = probes[0]?.parcel ?? '';
  return (
    <optgroup label={name}>
      {probes.length > 1 && (
        <option value={`parcel ${parcelId}`}>{texts.wholeParcel(name, probes.length)}</option>
      )}
      <ProbeOptions probes={probes} />
    </optgroup>
  );
}

const ProbeOptions = ({ probes }: Pick<ParcelOptionsProps, 'probes'>) => (
  <>
    {probes.map((probe) => (
      <option key={probe.moduleId} value={`module ${probe.moduleId}`}>
        {nameOfProbe(probe)}
      </option>
    ))}
  </>
);

export function StartField({ form, change }: FieldProps) {
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

export function AmountField({ form, change }: FieldProps) {
  const { texts, lang, units } = usePage();
  const us = units === 'us' && languageOf(lang).usUnits;
  const unitOf: Readonly<Record<InputMode, string>> = {
    duration: texts.minutes,
    depth_mm: waterUnitOf({ lang, units }),
    volume_m3: us ? us.gallons : 'm³',
  };
  const unit = unitOf[form.mode] + (form.mode === 'depth_mm' ? ` ${texts.wholeArea}` : '');
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
            <span>{unitOf[mode]}</span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span class="hidden">{unit}</span>
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
          <span aria-hidden="true">{unit}</span>
        </span>
      </label>
    </>
  );
}
