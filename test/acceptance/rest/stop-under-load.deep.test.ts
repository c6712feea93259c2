import { testStopUnderLoad } from './stop-under-load.ts';

testStopUnderLoad(10, 40);
