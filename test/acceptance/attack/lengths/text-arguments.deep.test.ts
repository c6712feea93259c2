import { beforeAll, describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../../src/operation/operation.ts';
import { operations, tools } from '../../../../tools/index.ts';
import { baseFarmForFile } from '../../../base-farm.ts';
import { afterFile } from '../../../cleanup.ts';
import { HOUR } from '../../../time.ts';
import { serverArguments } from '../../mcp-session.ts';
import { initializeRaw, startRawServer } from '../../raw-server.ts';
import { EventLoopWatch, excessStretch } from './event-loop.ts';
import {
  overlong,
  placesInTool,
  restLength,
  toolArgumentsWith,
  validText,
} from './hostile-arguments.ts';
import { FEW_SHAPES, hostileShapes } from './hostile-shapes.ts';
import { type TextPlace, textPlaces } from './text-places.ts';
import { serveWatched, type WatchedService } from './watched-service.ts';

const named = (all: readonly AnyOperation[]) => all.map((each) => [each.name, each] as const);

let service: WatchedService;
beforeAll(async () => {
  service = await serveWatched();
});

interface Attack {
  readonly watch: EventLoopWatch;
  readonly place: TextPlace;
  readonly shapes: ReturnType<typeof hostileShapes>;
  readonly length: number;
  send(text: string): Promise<unknown>;
}

/** The shapes that hold the loop for too long. */
async function heldBy({ watch, place, shapes, length, send }: Attack): Promise<string[]> {
  const held: string[] = [];
  for (const shape of shapes) {
    const ms = await excessStretch(watch, send, shape.textOf(length));
    if (ms > 0) held.push(`${place.name}, ${length} of ${shape.name}: ${ms} ms too long`);
  }
  return held;
}

describe('a hostile text holds the event loop no longer than a harmless one', {
  timeout: HOUR,
}, () => {
  it.each(named(tools))('in each argument of the tool %s', async (_, tool) => {
    for (const place of placesInTool(tool)) {
      const send = (text: string) => service.callTool(tool, place, text);
      const attack = { watch: service.watch, place, send };
      const shapes = hostileShapes(validText(tool, place));
      expect(await heldBy({ ...attack, shapes, length: place.maxLength })).toEqual([]);
      expect(await heldBy({ ...attack, shapes: FEW_SHAPES, length: overlong(place) })).toEqual([]);
    }
  });

  it.each(named(operations))('in each field of the request of %s', async (_, operation) => {
    for (const place of textPlaces(operation)) {
      const send = (text: string) => service.callRest(operation, place, text);
      const shapes = hostileShapes(validText(operation, place));
      const length = restLength(operation, place);
      expect(await heldBy({ watch: service.watch, place, send, shapes, length })).toEqual([]);
    }
  });

  it('in each argument of a tool over standard input and output', async () => {
    const watch = await EventLoopWatch.create();
    const args = serverArguments(await baseFarmForFile(), {});
    const raw = await initializeRaw(startRawServer(args, { after: afterFile, env: watch.env }));

    for (const tool of tools)
      for (const place of placesInTool(tool)) {
        const send = (text: string) =>
          raw.answer(raw.call(tool.name, toolArgumentsWith(tool, place, text)));
        for (const length of [place.maxLength, overlong(place), 2_000_000])
          expect(
            await heldBy({ watch, place, send, shapes: FEW_SHAPES.slice(0, 1), length }),
            tool.name,
          ).toEqual([]);
      }
  });
});
