export type {
  AccountingCurrenciesHandlers,
  ClientsHandlers,
  Handlers,
  IamAuthJwtHandlers,
  LnpGatewaysHandlers,
  Token,
} from '@billing/api/1.0.0'
