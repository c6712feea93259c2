// With a collector that never answers too.
import './traces.test.ts';
