import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldText } from '../../../src/domain/strings.ts';
import {
  buildSensorIndex,
  findModules,
  findSensor,
  modulesOfItem,
} from '../../../src/service/ingest/sensor-index.ts';

const probe = (
  id: number,
  uid: string,
  name: string | null,
  onLook: () => void = () => undefined,
) => ({
  id,
  uid,
  number: null,
  category: 'SOIL_PROBE' as const,
  parcelId: null,
  movedAt: null,
  get name() {
    onLook();
    return name;
  },
});

const sensor = (id: number, moduleId: number, depth: number | null) => ({
  id,
  moduleId,
  type: 'humidity' as const,
  depth,
  label: null,
  calibration: [],
});

it('reads every module once, however many names are looked up', () => {
  let looks = 0;
  const look = () => void looks++;
  const modules = Array.from({ length: 100 }, (_, n) => probe(n + 1, `U${n}`, `Probe ${n}`, look));
  const records = buildSensorIndex(modules, []);
  findModules(records, 'not one of them');
  const before = looks;
  for (let n = 0; n < 1_000; n++) expect(findModules(records, `unknown ${n}`)).toEqual([]);
  expect(looks).toBe(before);
});

it('finds by uid, else by name, else without case and accents, each module once and in order', () => {
  const words = fc.constantFrom('a', 'A', 'à', 'b', 'B', 'a b', 'c');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(words, fc.option(words)), { maxLength: 6 }),
      words,
      (input, query) => {
        const modules = input.map(([uid, name], n) => probe(n + 1, uid, name));
        const rules = [
          (uid: string, _: string | null) => uid === query,
          (_: string, name: string | null) => name === query,
          (uid: string, name: string | null) =>
            [uid, name ?? uid].map(foldText).includes(foldText(query)),
        ];
        const found = rules.map((rule) => modules.filter(({ uid, name }) => rule(uid, name)));
        const expected = found.find(({ length }) => length > 0) ?? [];
        const ids = findModules(buildSensorIndex(modules, []), query).map(({ id }) => id);
        expect(ids).toEqual(expected.map(({ id }) => id));
      },
    ),
  );
});

it('finds a sensor by module, type and depth, where no depth is not the surface', () => {
  const records = buildSensorIndex(
    [],
    [sensor(1, 7, null), sensor(2, 7, 0), sensor(3, 7, 10), sensor(4, 8, 10)],
  );
  expect(findSensor(records, 7, 'humidity', null)?.id).toBe(1);
  expect(findSensor(records, 7, 'humidity', -0)?.id).toBe(2);
  expect(findSensor(records, 8, 'humidity', 10)?.id).toBe(4);
  expect(findSensor(records, 7, 'tensio', 10)).toBeUndefined();
});

it('takes a number for an id unless it is also the uid or name of another', () => {
  const modules = [probe(1, '3', 'North'), probe(2, 'B', '7'), probe(3, 'C', 'South')];
  const index = buildSensorIndex([...modules, probe(7, 'D', null), probe(8, '8', 'East')], []);
  const found = (module: number | string) => modulesOfItem(index, module).map(({ id }) => id);
  expect(found(3)).toEqual([3, 1]);
  expect(found(7)).toEqual([7, 2]);
  expect(found(8)).toEqual([8]);
  expect(found(2)).toEqual([2]);
  expect(found(9)).toEqual([]);
  expect(found('3')).toEqual([1]);
  expect(found('#3')).toEqual([3]);
});
