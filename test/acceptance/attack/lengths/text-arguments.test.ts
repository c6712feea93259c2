import { beforeAll, expect, it } from 'vitest';
import { tools } from '../../../../tools/index.ts';
import { excessStretch } from './event-loop.ts';
import { overlong, placesInTool } from './hostile-arguments.ts';
import { FEW_SHAPES } from './hostile-shapes.ts';
import { serveWatched, type WatchedService } from './watched-service.ts';

let service: WatchedService;
beforeAll(async () => {
  service = await serveWatched();
});

it('a text beyond its limit holds the event loop in no argument of a tool longer than a harmless one', async () => {
  const held: string[] = [];
  for (const tool of tools)
    for (const place of placesInTool(tool)) {
      const send = (text: string) => service.callTool(tool, place, text);
      const [shape] = FEW_SHAPES;
      const ms = await excessStretch(service.watch, send, shape!.textOf(overlong(place)));
      if (ms > 0) held.push(`${tool.name} ${place.name}: ${ms} ms too long`);
    }
  expect(held).toEqual([]);
});
