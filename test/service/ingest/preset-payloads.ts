import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAYLOADS = fileURLToPath(new URL('payloads', import.meta.url));
/** Stands in JSON where the text is put, so that it is serialized once. */
const PLACEHOLDER = 'hostile-text-stands-here';

/** A payload with a text in place of one of its values, or as one more name. */
interface PayloadPlace {
  readonly place: string;
  readonly payloadWith: (text: string) => string;
}

export interface PresetPayload {
  readonly preset: string;
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  readonly payload: string;
  readonly places: readonly PayloadPlace[];
}

/** One of each preset. */
export const presetPayloads = (): PresetPayload[] =>
  readdirSync(PAYLOADS, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(json|txt)$/.test(file))
    .map((file) => {
      const payload = readFileSync(join(PAYLOADS, file), 'utf8').trim();
      const preset = file.replace(/\.\w+$/, '');
      return file.endsWith('.json')
        ? { preset, type: 'application/json', payload, places: placesOfJson(payload) }
        : {
            preset,
            type: 'application/x-www-form-urlencoded',
            payload,
            places: placesOfForm(payload),
          };
    });

function placesOfForm(payload: string): PayloadPlace[] {
  const ofValue = (name: string): PayloadPlace => ({
    place: name,
    payloadWith(text) {
      const form = new URLSearchParams(payload);
      form.set(name, text);
      return form.toString();
    },
  });
  const ofName = {
    place: 'a name',
    payloadWith: (text: string) => `${payload}&${new URLSearchParams([[text, '1']])}`,
  };
  return [...[...new URLSearchParams(payload).keys()].map(ofValue), ofName];
}

function placesOfJson(payload: string): PayloadPlace[] {
  const places: PayloadPlace[] = [];
  const add = (place: string, variant: unknown): void => {
    const json = JSON.stringify(variant);
    const payloadWith = (text: string) =>
      json.replace(PLACEHOLDER, () => JSON.stringify(text).slice(1, -1));
    places.push({ place, payloadWith });
  };

  const visit = (value: unknown, place: string, wholeWith: (value: unknown) => unknown): void => {
    if (typeof value !== 'object' || value === null) {
      add(place, wholeWith(PLACEHOLDER));
      return;
    }

    for (const [name, member] of Object.entries(value))
      visit(member, `${place}.${name}`, (replaced) =>
        wholeWith(
          Array.isArray(value)
            ? value.with(Number(name), replaced)
            : { ...value, [name]: replaced },
        ),
      );
    if (!Array.isArray(value))
      add(`a name in ${place}`, wholeWith({ ...value, [PLACEHOLDER]: 20 }));
  };
  visit(JSON.parse(payload), 'payload', (replaced) => replaced);
  return places;
}
