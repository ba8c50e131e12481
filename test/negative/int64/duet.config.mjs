export default { package: 'shop-api', int64: 'bigint' }
