import {describeSituations} from './support/describe-situations.ts';
import type {PortalAnswer} from './support/manners.ts';

const behind = (answers: PortalAnswer) => ({manner: {name: 'portal', answers}}) as const;
const allowed = ['--allow-http', 'api.acme.test,idp.acme.test,observer.acme.test'];
const says = /\b(api|idp|observer)\.acme\.test\b/;

describeSituations('a portal in the way of TLS, whose authority is trusted', [
  {
    name: 'sends elsewhere',
    platform: behind('redirect'),
    end: {code: 'network-portal', says: /(?=.*\b(api|idp|observer)\.acme\.test\b)(?=.*\bportal\.hotel\.test\b)/},
  },
  {
    name: 'answers 511',
    platform: behind('511'),
    end: {code: 'network-portal', says: /(?=.*\b(api|idp|observer)\.acme\.test\b)(?=.*\b511\b)/},
  },
  {name: 'answers 403 with a page', platform: behind('page-403'), end: {code: 'network-portal', says}},
  {name: 'answers 200 with a page', platform: behind('page-200'), end: {code: 'network-portal', says}},
]);

describeSituations('a portal in the way of plain http', [
  {
    name: 'sends elsewhere',
    platform: {scheme: 'http', ...behind('redirect')},
    flags: allowed,
    end: {code: 'network-portal', says: /(?=.*\b(api|idp|observer)\.acme\.test\b)(?=.*\bportal\.hotel\.test\b)/},
  },
  {
    name: 'answers 200 with a page',
    platform: {scheme: 'http', ...behind('page-200')},
    flags: allowed,
    end: {code: 'network-portal', says},
  },
]);
