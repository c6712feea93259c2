// Each operation on every surface.
import './company-isolation.test.ts';
