globalThis.duet = {"search":[
["accounting.currencies.get_rate","GET","/accounting/exchange-rate","Exchange rate between two currencies.","at from to effective_from rate __tz ExchangeRate","accounting.currencies.html#accounting.currencies.get_rate"],
["accounting.currencies.search","GET","/accounting/currencies","List currencies.","base code __tz array of Currency","accounting.currencies.html#accounting.currencies.search"],
["clients.get","GET","/clients/{id}","Get a client.","id credit currency name version __tz Client","clients.html#clients.get"],
["clients.search","GET","/clients","List clients.","currency id limit name offset order credit version __tz array of Client","clients.html#clients.search"],
["clients.update","PATCH","/clients/{id}","Update a client.","credit expected_version id idempotency_key name currency version __tz Client","clients.html#clients.update"],
["lnp.gateways.get","GET","/lnp/gateways/{id}","Get a number portability gateway.","id credentials_id editable name title __tz Gateway","lnp.gateways.html#lnp.gateways.get"],
["lnp.gateways.search","GET","/lnp/gateways","List number portability gateways.","credentials_id editable id limit name offset order title __tz array of Gateway","lnp.gateways.html#lnp.gateways.search"]
],"versions":{"2.0.0-rc.1":["accounting.currencies.html","clients.html","index.html","lnp.gateways.html","schemas.html"],"1.1.0":["accounting.currencies.html","clients.html","iam.auth.jwt.html","index.html","lnp.gateways.html","schemas.html"],"1.0.0":["accounting.currencies.html","clients.html","iam.auth.jwt.html","index.html","lnp.gateways.html","schemas.html"]}}
