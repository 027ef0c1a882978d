module broadside/peer

go 1.22

require github.com/SherClockHolmes/webpush-go v1.4.0

require (
	github.com/golang-jwt/jwt/v5 v5.2.1 // indirect
	golang.org/x/crypto v0.31.0 // indirect
)
