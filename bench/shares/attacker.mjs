// A process of its own, so that its work does not delay what is measured. Argument: what to attack, as
// JSON. Ends when its input ends.
import { ATTACKS } from './attacks.mjs';

const { thing, way, target } = JSON.parse(process.argv[2]);
const end = await ATTACKS[thing][way](target);
process.stdout.write('attacking\n');
process.stdin.resume().once('end', async () => {
  await Promise.race([end(), new Promise((resolve) => setTimeout(resolve, 2_000))]);
  process.exit(0);
});
