import { declareSuite, groundednessSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { ClaimsChecker } from '../src/claims-checker.ts';

declareSuite(groundednessSuite({ make: () => new ClaimsChecker() }), { describe, it });
